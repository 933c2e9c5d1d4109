import AutoMobileClickHouse
import NIOCore

/// The JSON of events whose places are known, as much at once as there is room for.
struct ClickHousePayloads {
  /// Where an event lies: by these it is found without looking for it.
  struct Place: Sendable {
    var id: Int64
    var project: String
    var session: String
    var timestamp: Int64
    /// Of its JSON, in bytes.
    var size: Int64

    static let columns: [SQL] = ["id", "project", "session", "timestamp", "toInt64(length(payload)) AS size"]

    init(_ reader: inout RowBinaryReader) throws {
      id = try reader.int()
      project = try reader.string()
      session = try reader.string()
      timestamp = try reader.int()
      size = try reader.int()
    }
  }

  /// Of one answer, in bytes.
  static let room: Int64 = 8 << 20

  let tables: ReadableTables
  let wall: SQL

  /// Places in pieces that each fit into an answer; an event that is larger stands alone.
  static func pieces(_ places: [Place]) -> [ArraySlice<Place>] {
    var pieces: [ArraySlice<Place>] = []
    var start = 0
    var size: Int64 = 0
    for (index, place) in places.enumerated() {
      if index > start, size + place.size > room || index - start >= 1000 {
        pieces.append(places[start..<index])
        (start, size) = (index, 0)
      }
      size += place.size
    }
    if start < places.count { pieces.append(places[start...]) }
    return pieces
  }

  /// Asks for numbers and JSON.
  func sql(_ places: ArraySlice<Place>) -> SQL {
    let times = places.map(\.timestamp)
    return """
      SELECT id, payload FROM \(tables(TelemetryTables.events)) WHERE \(wall) \
      AND project IN (\(Self.names(places.map(\.project)))) AND session IN (\(Self.names(places.map(\.session)))) \
      AND timestamp >= \(times.min() ?? 0) AND timestamp <= \(times.max() ?? 0) \
      AND id IN (SELECT arrayJoin(\(SQLValue.ints(places.map(\.id)))))
      """
  }

  private static func names(_ names: [String]) -> SQL {
    SQL.joined(Set(names).sorted().map { "\(text: $0)" }, ", ")
  }
}
