import Foundation
import GRDB

extension SpanRow: FetchableRecord {
  static let columns = """
    spans.id, trace, span, parent, spans.timestamp, spans.duration, spans.name, kind, status, message, begun, ended
    """
  static let placed = columns + ", session.sessionId, session.bundleId, session.userId, event.payload"
  static let joins = """
     JOIN session ON session.id = spans.session LEFT JOIN event ON event.id = IFNULL(ended, begun)
    """

  init(row: Row) {
    self.row = row[0]
    trace = TraceName(data: row[1])
    span = row[2]
    parent = row[3]
    timestamp = row[4]
    duration = row[5]
    name = row[6]
    kind = row[7]
    status = row[8]
    message = row[9]
    begun = row[10]
    ended = row[11]
    guard row.count > 12 else { return }
    session = row[12]
    bundleId = row[13]
    userId = row[14]
    let payload: Data? = row[15]
    attributes = payload.flatMap(Self.attributes)
  }
}
