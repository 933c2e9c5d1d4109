/// How a sender says that a replay ended.
struct ReplayEnd: Sendable {
  var replay: String
  var sessions: [String]
  var startedAt: Int64?
  var endedAt: Int64
  /// All intervals together.
  var backgroundMs: Int64
  var reason: String
  /// The last moment that is sure to belong to it.
  var anchor: Int64?
  var metrics: JSONTree

  /// - Throws: ``APIError`` that names the member.
  init(_ body: JSONTree) throws {
    replay = try ReplaySegment.name(body, "sessionId")
    sessions = ReplaySegment.sessions(body)
    startedAt = body["startedAt"]?.integer
    endedAt = try ReplaySegment.number(body, "endedAt", 0...ReplayTimes.most)
    backgroundMs = max(body["totalBackgroundTimeMs"]?.integer ?? 0, 0)
    reason = String((body["endReason"]?.string ?? "unknown").prefix(64))
    anchor = body["closeAnchorAtMs"]?.integer
    var metrics = body["metrics"] ?? .object([:])
    if case .object(let members) = metrics, members.count <= 50 {
      metrics = .object(members.filter { $0.key.utf8.count <= 64 && $0.value.number != nil })
    } else {
      metrics = .object([:])
    }
    self.metrics = metrics
  }

  /// By the device's clock, whatever that says.
  var told: Int64 {
    guard reason == "background_timeout" || reason == "recovery_finalize", let anchor else { return endedAt }
    return min(endedAt, max(anchor, 0))
  }

  /// The times as they can be: a device's clock jumps, and a device that died knows its end from a checkpoint only.
  ///
  /// - Parameters:
  ///   - first, last: of what has been recorded; nil when there is nothing.
  ///   - now: by the collector's clock.
  func clamped(first: Int64?, last: Int64?, now: Int64) -> (start: Int64, end: Int64, background: Int64) {
    let latest = max(now + ReplayTimes.ahead, last ?? 0)
    var end = min(told, latest)
    // Nothing was recorded before the beginning, or after the end.
    var start = min(max(startedAt ?? first ?? end, 0), first ?? latest)
    end = max(end, last ?? 0)
    start = min(start, end)
    return (start, end, min(backgroundMs, end - start))
  }
}
