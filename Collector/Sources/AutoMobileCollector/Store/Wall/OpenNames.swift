import GRDB

/// The names of questions that have another answer behind the wall, for those who see everything.
enum OpenNames {
  static func add(to database: Database) throws {
    try IndexedRows.add(to: database) { _ in nil }
    try database.execute(
      sql: """
        CREATE TEMP VIEW newest_event AS SELECT MAX(id) AS id FROM main.event;
        CREATE TEMP VIEW seen_type AS SELECT name FROM main.event_type;
        """)
  }
}
