import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Tells what ended earlier launches: each once, as an event of this launch, and of the last one also in the API.
///
/// *Once*: the event is appended, then the launch is marked in its ledger, which whoever takes it over finds. A process
/// that is killed between the two has told without a mark; so before an unmarked launch is told, the launches after it
/// are searched for the event. They are there: nothing of a launch is delivered, and so removed, before this has run.
struct LaunchEndTeller: Sendable {
  /// The bit in a launch's marks: its end has been told.
  static let told: UInt64 = 1
  /// How many records from a launch's end are searched for the event; between it and the mark there is hardly time for
  /// one.
  private static let searched = 1000

  let journal: Journal
  let reader: LaunchEndReader
  let record: @Sendable (SdkLifecycleEvent) -> Void

  /// - Parameter launches: earlier ones, oldest first.
  /// - Returns: the end of the last one of this app; nil when there is none.
  func tell(_ launches: [LaunchID]) -> PreviousLaunchEnd? {
    var previous: PreviousLaunchEnd?
    for (index, launch) in launches.enumerated() {
      let later = launches[(index + 1)...]
      let isTold = journal.marks(of: launch) & Self.told != 0
      let isOurs = reader.isOurs(launch)
      guard !isTold || isOurs else { continue }
      let end = reader.end(of: launch, before: Array(later))
      if isOurs { previous = end.end }
      guard !isTold else { continue }
      if !later.contains(where: { tells(of: launch, in: $0) }) { record(Self.event(end)) }
      journal.mark(launch, Self.told)
    }
    return previous
  }

  static func event(_ end: LaunchEndReader.Found) -> SdkLifecycleEvent {
    var details = [
      "verdict": end.end.verdict.rawValue, "evidence": end.end.evidence, "launchId": end.end.launchId,
    ]
    details["lastSeen"] = end.end.lastSeen.map(String.init)
    details["stage"] = end.state?.stage.rawValue
    details["memory"] = end.state?.memory.description
    details["appVersion"] = end.state?.appVersion
    details["osVersion"] = end.state?.osVersion
    return SdkLifecycleEvent(state: RecordedName.launchEnd, details: details)
  }

  /// Whether a launch's records tell how another one ended.
  private func tells(of launch: LaunchID, in later: LaunchID) -> Bool {
    let name = Data(RecordedName.launchEnd.utf8)
    return journal.lastRecords(of: [.eventAndBreadcrumb], limit: Self.searched, launch: later).contains { record in
      let json = Data(record.payload)
      guard json.range(of: name) != nil, let event = try? SdkEventDecoder.decode(json) as? SdkLifecycleEvent
      else { return false }
      return event.state == RecordedName.launchEnd && event.details["launchId"] == launch.description
    }
  }
}
