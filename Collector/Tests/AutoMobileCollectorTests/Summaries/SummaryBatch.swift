import AutoMobileJournal
import Foundation

@testable import AutoMobileCollector

/// What a device says of a session, as the SDK writes it.
struct Summary {
  static let start = Int(Date().timeIntervalSince1970 * 1000) - 600_000
  static let week = 7 * 86_400_000

  var session: String
  var revision = 1
  var startedAt = start
  var endedAt = start + 60_000
  var end: String?
  var events = ["log": 90, "navigation": 8, "network_request": 10, "hang": 1]
  var requests = ["2xx": 7, "4xx": 1, "5xx": 1, "none": 1]
  var screens = ["Menu", "Basket"]
  var launchMs: Int? = 850
  var errors = 2
  var crashes = 0
  /// In bytes; nil: nobody looked.
  var memoryPeak: Int?
  /// Nil: nothing is kept.
  var kept: (events: Int, bytes: Int, until: Int)? = (109, 1 << 20, start + week)
  var told = start + 61_000

  var recorded: Int { events.values.reduce(0, +) }

  var members: String {
    func object(_ counts: [String: Int]) -> String {
      "{" + counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
    let ending = end.map { ",\"end\":\"\($0)\"" } ?? ""
    let launch = launchMs.map { ",\"launchMs\":\($0),\"launchKind\":\"cold\"" } ?? ""
    let keeps = kept.map { ",\"keptEvents\":\($0.events),\"keptBytes\":\($0.bytes),\"keptUntil\":\($0.until)" } ?? ""
    let memory = memoryPeak.map { ",\"memoryPeak\":\($0),\"memoryLeft\":\($0 / 2),\"memoryWarnings\":2" } ?? ""
    let names = screens.map { "\"\($0)\"" }.joined(separator: ",")
    return """
      "eventType":"session_summary","timestamp":\(told),"session":"\(session)","revision":\(revision),"startedAt":\(startedAt),\
      "endedAt":\(endedAt),"isFinal":\(end != nil)\(ending),"events":\(object(events)),"screens":[\(names)],\
      "screenVisits":\(screens.count)\(launch),"slowFrames":3,"frozenFrames":1,"requests":\(object(requests)),\
      "errors":\(errors),"crashes":\(crashes)\(memory)\(keeps)
      """
  }
}

extension Summary {
  /// How the session ended, where the revision before says everything else.
  var ending: String {
    """
    {"eventType":"session_summary","timestamp":\(told),"session":"\(session)","revision":\(revision),"sameAs":\(revision - 1),\
    "isFinal":true,"end":"\(end ?? "ended")","keptEvents":\(kept?.events ?? 0),"keptBytes":\(kept?.bytes ?? 0),"keptDays":7}
    """
  }
}

extension RawBatch {
  mutating func add(_ summary: Summary, context: Int = 1) {
    add(.event, "{\(summary.members),\"contextId\":\(context)}")
  }

  /// As a later launch tells it of an earlier one.
  mutating func add(_ summary: Summary, of launch: LaunchID, user: String = "ada") {
    add(
      .event,
      """
      {\(summary.members),"ofLaunch":"\(launch)","context":{"sessionId":"\(summary.session)","userId":"\(user)",\
      "appVersion":"2.1","bundleId":"dev.example.shop"}}
      """)
  }

  /// A launch of which only a summary came.
  static func telling(_ summary: Summary, launch: LaunchID = LaunchID(), from: UInt64 = 0, user: String = "ada")
    -> RawBatch
  {
    var batch = RawBatch(launch: launch, from: from)
    batch.addContext(1, session: summary.session, user: user)
    batch.add(summary)
    return batch
  }
}

extension RunningCollector {
  /// A session with what its device has said, once that says so.
  @discardableResult
  func told(_ session: String, where isDone: (JSONValue) -> Bool = { _ in true }) async throws -> JSONValue {
    try await wait(for: "/api/sessions/\(session)") { $0["summary"]["revision"].int != nil && isDone($0) }
  }
}
