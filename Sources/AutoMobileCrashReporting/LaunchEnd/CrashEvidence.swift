import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Foundation

/// Whether an earlier launch crashed: its lane says so, or, once that has become a report, the report's event.
struct CrashEvidence: Sendable {
  /// How many records from a launch's end are searched for the event. A launch that recorded it, and did not come to
  /// telling the end, was killed between the two.
  private static let searched = 1000
  /// This launch may have recorded a good deal while earlier ones were looked at.
  private static let searchedHere = 10_000

  let journal: Journal
  let directory: URL

  /// What crashed, in a word or two; nil when the launch did not.
  ///
  /// - Parameter later: earlier launches that came after it.
  func crash(of launch: LaunchID, before later: [LaunchID]) -> String? {
    if let event = event(of: launch, in: journal.launch, limit: Self.searchedHere) { return event }
    for other in later.reversed() {
      if let event = event(of: launch, in: other, limit: Self.searched) { return event }
    }
    return lane(of: launch)
  }

  private func event(of launch: LaunchID, in other: LaunchID, limit: Int) -> String? {
    let name = Data(#""reportId":"\#(launch)""#.utf8)
    for record in journal.lastRecords(of: [.event], limit: limit, launch: other).reversed() {
      let json = Data(record.payload)
      guard json.range(of: name) != nil, let crash = try? JSONDecoder().decode(Crash.self, from: json),
        crash.eventType == SdkEventType.crash.rawValue
      else { continue }
      return crash.errorDomain ?? "unknown"
    }
    return nil
  }

  private struct Crash: Decodable {
    var eventType: String
    var errorDomain: String?

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      eventType = members.value("eventType")
      errorDomain = members.value("errorDomain")
      try members.end()
    }
  }

  private func lane(of launch: LaunchID) -> String? {
    let path = directory.appendingPathComponent("\(launch).crash", isDirectory: false).path
    guard let file = try? FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
    defer { file.close() }
    let bytes = file.read(at: 0, count: MemoryLayout<am_lane_header>.size)
    guard bytes.count == MemoryLayout<am_lane_header>.size, bytes.starts(with: Array("AMCRASH1".utf8)) else {
      return nil
    }
    let stage = bytes.withUnsafeBytes { Int($0.loadUnaligned(as: am_lane_header.self).stage) }
    return stage == AM_LANE_IDLE || stage == AM_LANE_SURVIVED ? nil : "its report could not be read"
  }
}
