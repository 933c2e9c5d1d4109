import Foundation

/// Where events are posted to.
struct DeliveryEndpoint: Sendable, Equatable {
  /// The whole URL.
  var events: URL
  var apiKey: String?
  /// It listens on this machine.
  let isLocal: Bool
  var timeouts: HTTPTimeouts

  /// - Parameter base: the receiver's base URL, to which `/sdk-events` is appended unless it ends with it; http or https.
  init?(base: URL, apiKey: String? = nil) {
    guard let scheme = base.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = base.host,
      !host.isEmpty
    else { return nil }
    events = Self.events(at: base)
    self.apiKey = apiKey
    isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    timeouts = isLocal ? .local : .remote
  }

  /// Where a receiver takes events; a slash at the end of its address makes no difference.
  static func events(at base: URL) -> URL {
    let parent = base.lastPathComponent == "sdk-events" ? base.deletingLastPathComponent() : base
    return parent.appendingPathComponent("sdk-events")
  }
}
