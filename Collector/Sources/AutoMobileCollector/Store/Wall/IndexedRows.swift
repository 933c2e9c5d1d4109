import GRDB

/// Tables that are read by an index of our choice, `INDEXED BY`, under names that stand on every reading connection. A view
/// cannot be told an index, and behind the wall tables are views.
///
///     SELECT id FROM \(IndexedRows.event(by: "event_outline")) WHERE event.session = ?
enum IndexedRows {
  private static let indexes = [
    "event": ["event_outline", "event_error"],
    "network": [
      "network_time", "network_slow", "network_session", "network_host_time", "network_host_slow", "network_failed",
      "network_tracer", "network_trace",
    ],
    "spans": ["spans_session", "spans_trace"],
  ]

  static func event(by index: String) -> String { name(index) + " AS event" }
  static func network(by index: String) -> String { name(index) + " AS network" }
  static func spans(by index: String) -> String { name(index) + " AS spans" }

  private static func name(_ index: String) -> String { "by_" + index }

  /// Makes the names of a connection.
  ///
  /// - Parameter rule: what of a table may be seen; nil: all of it.
  static func add(to database: Database, _ rule: (String) -> WallRule?) throws {
    for (table, indexes) in indexes {
      var condition = ""
      if case .rows(let sql)? = rule(table) { condition = " WHERE \(sql)" }
      for index in indexes {
        try database.execute(
          sql: "CREATE TEMP VIEW \(name(index)) AS SELECT * FROM main.\(table) AS row INDEXED BY \(index)\(condition)")
      }
    }
  }
}
