import AutoMobileJournal
import Foundation

/// What a launch's journal says about a hang that had not ended when it was written. See the article "Journal format".
struct ProvisionalHang {
  var event: SdkHangEvent
  /// The context that held.
  var contextId: UInt64?
  var id: String

  /// Notes that a hang is over, and its event recorded, or that it was none.
  static func end(_ id: String, in buffer: SdkEventBuffer) {
    _ = try? withJSONObject {
      $0.member(endedKey, id)
    } body: {
      buffer.keep(Array($0), as: .provisionalHang)
    }
  }

  private static let endedKey: StaticString = "ended"

  /// Reads a record; nil when it is the note of an end, or damaged.
  init?(_ record: JournalRecord) {
    guard let event = try? JSONDecoder().decode(SdkHangEvent.self, from: Data(record.payload)),
      let id = event.report?.reportId
    else { return nil }
    self.event = event
    self.id = id
    contextId = record.payload.withUnsafeBytes { ContextReference(in: $0)?.id }
  }

  /// The hang that a launch ended in; nil when there was none, or when it has been told already.
  ///
  /// - Parameter launches: all launches of which something is left: one of them may have told, and been killed before it
  ///   could note that.
  init?(endOf launch: LaunchID, in journal: Journal, launches: [LaunchID]) {
    guard let last = journal.lastRecords(of: [.provisionalHang], limit: 1, launch: launch).last,
      let hang = ProvisionalHang(last), !hang.isTold(in: journal, launches)
    else { return nil }
    self = hang
  }

  private func isTold(in journal: Journal, _ launches: [LaunchID]) -> Bool {
    launches.contains { launch in
      journal.lastRecords(of: [.event, .provisionalHang], limit: Self.searchLimit, launch: launch).contains {
        switch $0.kind {
        case .event: Self.ofEvent(id, $0.payload)
        default: Self.endedId($0.payload) == id
        }
      }
    }
  }

  /// How far back the event is looked for: it was recorded an instant before its launch ended.
  private static let searchLimit = 1000

  private static func ofEvent(_ id: String, _ payload: [UInt8]) -> Bool {
    guard payload.starts(with: #"{"eventType":"hang""#.utf8) else { return false }
    return (try? JSONDecoder().decode(SdkHangEvent.self, from: Data(payload)))?.report?.reportId == id
  }

  private static func endedId(_ payload: [UInt8]) -> String? {
    struct End: Decodable { var ended: String }
    return (try? JSONDecoder().decode(End.self, from: Data(payload)))?.ended
  }
}
