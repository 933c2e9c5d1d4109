import AutoMobileSupport

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

// By hand, and as the compiler would do it: see `MemberReader`.
extension HTTPRedirect {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    statusCode = members.value("statusCode")
    url = members.value("url")
    location = members.value("location")
    atMs = members.value("atMs")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("statusCode", statusCode)
    members.add("url", url)
    members.add("location", location)
    members.add("atMs", atMs)
    try members.end()
  }
}
