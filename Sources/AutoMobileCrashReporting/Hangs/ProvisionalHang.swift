import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// What a launch's journal says about a hang that had not ended when it was written. See the article "Journal format".
struct ProvisionalHang {
  var event: SdkHangEvent
  /// The context that held.
  var contextId: UInt64?
  var id: String

  /// Notes that a hang is over, and its event recorded, or that it was none.
  static func end(_ id: String, in buffer: SdkEventBuffer) { EndNote.write(id, as: .provisionalHang, in: buffer) }

  /// Reads a record; nil when it is the note of an end, or damaged.
  init?(_ record: JournalRecord) {
    guard let event = try? JSONDecoder().decode(SdkHangEvent.self, from: Data(record.payload)),
      let id = event.report?.reportId
    else { return nil }
    self.event = event
    self.id = id
    contextId = record.payload.withUnsafeBytes { ContextReference(in: $0)?.id }
  }

  /// The hang that a launch ended in, whether or not it has been told already; nil when there was none.
  init?(endOf launch: LaunchID, in journal: Journal) {
    guard let last = journal.lastRecords(of: [.provisionalHang], limit: 1, launch: launch).last,
      let hang = ProvisionalHang(last)
    else { return nil }
    self = hang
  }

  /// Which hang an event tells of; nil for other events.
  static func id(ofEvent payload: [UInt8]) -> String? {
    guard payload.starts(with: #"{"eventType":"hang""#.utf8) else { return nil }
    return (try? JSONDecoder().decode(SdkHangEvent.self, from: Data(payload)))?.report?.reportId
  }
}
