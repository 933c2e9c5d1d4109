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

  init(_ row: inout RowBinaryReader) throws {
    session = try SessionName(&row)
    place = EventPlace(
      project: session.project, session: session.session, id: try row.int(), timestamp: try row.int())
    type = try row.string()
  }

  init(saying row: inout RowBinaryReader) throws {
    try self.init(&row)
    said = try row.string()
  }
}
