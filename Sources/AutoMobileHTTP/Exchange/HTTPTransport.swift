import AutoMobileSupport

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

// By hand, and as the compiler would do it: see `MemberReader`.
extension HTTPTransport {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    protocolName = members.value("protocolName")
    isReused = members.value("isReused")
    isProxied = members.value("isProxied")
    isCached = members.value("isCached")
    remoteAddress = members.value("remoteAddress")
    tlsVersion = members.value("tlsVersion")
    bytesSent = members.value("bytesSent")
    bytesReceived = members.value("bytesReceived")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("protocolName", protocolName)
    members.add("isReused", isReused)
    members.add("isProxied", isProxied)
    members.add("isCached", isCached)
    members.add("remoteAddress", remoteAddress)
    members.add("tlsVersion", tlsVersion)
    members.add("bytesSent", bytesSent)
    members.add("bytesReceived", bytesReceived)
    try members.end()
  }
}
