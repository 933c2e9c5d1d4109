/// An answer that sent the client elsewhere.
public struct HTTPRedirect: Codable, Sendable, Equatable {
  public var statusCode: Int
  /// Where the answer came from.
  public var url: String
  /// Where it sent the client to.
  public var location: String
  /// When, in milliseconds from the exchange's start.
  public var atMs: Double?

  public init(statusCode: Int, url: String, location: String, atMs: Double? = nil) {
    self.statusCode = statusCode
    self.url = url
    self.location = location
    self.atMs = atMs
  }
}
