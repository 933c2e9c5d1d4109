import AutoMobileJournal
import Foundation

/// A record that says that something is over of which a provisional record told: `{"ended":"<id>"}`, of the same kind.
package enum EndNote {
  private static let key: StaticString = "ended"

  package static func write(_ id: String, as kind: RecordKind, in buffer: SdkEventBuffer) {
    _ = try? withJSONObject {
      $0.member(key, id)
    } body: {
      buffer.keep(Array($0), as: kind)
    }
  }

  /// What is over; nil when a record is no such note.
  package static func id(in payload: [UInt8]) -> String? {
    struct End: Decodable { var ended: String }
    guard payload.starts(with: #"{"ended":"#.utf8) else { return nil }
    return (try? JSONDecoder().decode(End.self, from: Data(payload)))?.ended
  }

  /// How far back in a launch events are looked for: one that was killed between an event and the note of it recorded that
  /// event an instant before.
  private static let searchLimit = 1000

  /// What has been told: there are events of it, or notes that there were. In any launch of which something is left: one of
  /// them may have told of another's, and been killed before it could note that. Reads the disk.
  ///
  /// - Parameters:
  ///   - kind: of the provisional records, and so of the notes.
  ///   - events: the kinds of the events' records.
  ///   - idOfEvent: nil for events that tell of something else.
  package static func told(
    _ kind: RecordKind, by events: RecordKinds, in journal: Journal, idOfEvent: ([UInt8]) -> String?
  ) -> Set<String> {
    var told: Set<String> = []
    for launch in journal.launches() {
      for record in journal.lastRecords(of: events.union(kind), limit: searchLimit, launch: launch) {
        if let id = record.kind == kind ? id(in: record.payload) : idOfEvent(record.payload) { told.insert(id) }
      }
    }
    return told
  }
}
