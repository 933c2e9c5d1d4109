import AutoMobileClickHouse
import Foundation

/// An event of a session, before its payload is read.
struct FoundMoment: Sendable {
  var session: SessionName
  var place: EventPlace
  var type: String
  /// What its row says of it in the place of its payload.
  var said: String?

  /// What it is read of, in this order. Of copies of an event the one with the lowest number counts, which all orders have first.
  static let columns: SQL = "project, session, shard, id, timestamp"

  /// - Parameter type: of all of them; nil: the next column says it.
  init(_ row: inout RowBinaryReader, type known: String? = nil) throws {
    session = try SessionName(&row)
    place = EventPlace(
      project: session.project, session: session.session, id: try row.int(), timestamp: try row.int())
    if let known { type = known } else { type = try row.string() }
  }

  /// The last column says what to show of it.
  init(saying row: inout RowBinaryReader, type known: String? = nil) throws {
    try self.init(&row, type: known)
    said = try row.string()
  }
}
