import AutoMobileClickHouse
import NIOCore

/// Looks for a text in the values of requests' events, as ``EventValues`` does: ClickHouse finds the events whose JSON has the longest
/// piece of it that JSON writes as it stands, and they are read here.
///
/// Of each text the newest ``most`` such events are looked at; of what is older, nobody knows.
struct ClickHouseHeldTexts {
  static let most = 4000

  let tables: ReadableTables
  let wall: SQL
  /// Of the events in question: their session, their time.
  let range: [SQL]

  /// Asks for places.
  ///
  /// - Parameter words: whether its words have to be among those of the event: where not any part of a word is found.
  func candidates(_ text: String, words: Bool) -> SQL {
    var conditions = [wall, "type = 'network_request'"] + range
    if words, let found = SearchPattern(text).flatMap({ ClickHouseTerms.words($0, tables.dialect) }) {
      conditions.append(found)
    }
    if let piece = EventValues.plainPiece(of: text) { conditions.append(ClickHouseTerms.part("payload", piece)) }
    return """
      SELECT \(SQL.joined(ClickHousePayloads.Place.columns, ", ")) FROM \(tables(TelemetryTables.events)) \
      WHERE \(ClickHouseTerms.all(conditions)) ORDER BY id DESC LIMIT \(count: Self.most)
      """
  }

  static func holds(_ text: String, _ payload: ByteBuffer) -> Bool {
    payload.withUnsafeReadableBytes { EventValues.holds(text, in: $0) }
  }
}
