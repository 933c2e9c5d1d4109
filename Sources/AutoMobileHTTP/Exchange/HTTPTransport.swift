/// How an exchange went over the wire, of the last request when there were redirects.
public struct HTTPTransport: Codable, Sendable, Equatable {
  /// As ALPN names it: `http/1.1`, `h2`, `h3`.
  public var protocolName: String?
  /// The connection had been opened for an earlier request.
  public var isReused: Bool?
  public var isProxied: Bool?
  /// The answer came from the cache.
  public var isCached: Bool?
  public var remoteAddress: String?
  public var tlsVersion: String?
  /// Header and body, as sent, in bytes.
  public var bytesSent: Int64?
  /// Header and body, as received (before decompression), in bytes.
  public var bytesReceived: Int64?

  public init() {}
}
