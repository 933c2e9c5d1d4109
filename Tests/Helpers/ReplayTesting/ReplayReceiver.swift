import AutoMobileSDK
import AutoMobileSupport
import Foundation
import RequestCatcher

/// A collector's replay routes on the loopback interface, which takes everything and keeps nothing but counts.
package final class ReplayReceiver: Sendable {
  /// How it answers what is uploaded; it says at once how to record.
  package enum Manner: Sendable, Equatable {
    case accepts
    /// Each answer to an upload takes so long, in seconds.
    case slow(Double)
    /// With 503.
    case refuses
  }

  package struct Counts: Sendable, Equatable {
    package var segments = 0
    package var bytes = 0
    package var ends = 0
    /// Of the last end: `metrics`.
    package var metrics: [String: Int] = [:]
  }

  private let counted: Locked<Counts>
  private let manner: Locked<Manner>
  private let catcher: RequestCatcher

  package init(_ manner: Manner) throws {
    let (counted, manner) = (Locked(Counts()), Locked(manner))
    self.counted = counted
    self.manner = manner
    catcher = try RequestCatcher(keeps: false) { Self.answer($0, manner.withLock { $0 }, counted) }
  }

  package func stop() { catcher.stop() }

  package var url: URL { URL(string: "http://127.0.0.1:\(catcher.port)") ?? URL(fileURLWithPath: "/") }
  package var counts: Counts { counted.withLock { $0 } }
  package func answer(as other: Manner) { manner.withLock { $0 = other } }

  private static func answer(_ request: RequestCatcher.Caught, _ manner: Manner, _ counted: Locked<Counts>) -> String {
    let path = request.requestLine.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    switch path {
    case "/api/sdk/config": return http(200, #"{"maxRecordingMinutes":1440}"#)
    case "/api/ingest/auth/device": return http(200, #"{"uploadToken":"token","expiresIn":86400}"#)
    default: break
    }
    if case .slow(let seconds) = manner { Thread.sleep(forTimeInterval: seconds) }
    if manner == .refuses { return http(503, "{}") }
    let json = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any] ?? [:]
    switch path {
    case "/api/ingest/segment/presign":
      return http(200, #"{"uploadUrl":"/put","segmentId":"\#(json["segmentId"] as? String ?? "")"}"#)
    case "/api/ingest/segment/complete":
      counted.withLock { $0.segments += 1 }
      return http(200, #"{"success":true}"#)
    case "/api/ingest/session/end":
      let metrics = json["metrics"] as? [String: NSNumber] ?? [:]
      counted.withLock { counts in
        counts.ends += 1
        counts.metrics = metrics.mapValues(\.intValue)
      }
      return http(200, "{}")
    default:
      counted.withLock { $0.bytes += request.body.count }
      return http(204, "")
    }
  }

  private static func http(_ status: Int, _ body: String) -> String {
    "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }
}
