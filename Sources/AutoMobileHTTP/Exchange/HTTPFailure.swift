/// Why there was no complete response.
public struct HTTPFailure: Sendable, Equatable {
  /// In words.
  public var message: String
  /// For example `NSURLErrorDomain`.
  public var domain: String?
  public var code: Int?
  /// The app ended the request itself.
  public var isCancellation: Bool { domain == "NSURLErrorDomain" && code == -999 }

  public init(message: String, domain: String? = nil, code: Int? = nil) {
    self.message = message
    self.domain = domain
    self.code = code
  }
}
