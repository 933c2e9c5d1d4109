import AutoMobileRecorder
import Foundation

/// Asks the collector whether and how to record.
struct ConfigurationFetch: Sendable {
  let base: URL
  let publicKey: String
  let device: DeviceDescription
  let transport: any RequestTransport
  /// This launch's lot: drawn once, so that a rollover does not change the answer.
  let draw: Double

  /// A start does not wait for longer, in seconds.
  private static let timeouts = HTTPTimeouts(silence: 4, whole: 4)

  func decide() async -> ReplayDecision {
    guard let url = URL(string: "/api/sdk/config", relativeTo: base)?.absoluteURL else {
      return RemoteReplayConfiguration().decision(draw: draw)
    }
    let headers = ReplayHeaders.identifying(publicKey: publicKey, device: device)
    let request = HTTPRequest(method: "GET", url: url, headers: headers, timeouts: Self.timeouts)
    let answer = await transport.send(request)
    switch answer.status {
    case 401, 403, 404: return .denied("access_denied_\(answer.status)")
    case 200..<300: return RemoteReplayConfiguration(json: answer.json).decision(draw: draw)
    // Whoever has no network, or a collector in trouble, is recorded by default; what is recorded waits.
    default: return RemoteReplayConfiguration().decision(draw: draw)
    }
  }
}
