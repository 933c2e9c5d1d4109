import Foundation
import GRDB

/// Keeps those who see some projects inside of these: on their connections every table is shadowed by a view of the same name
/// that has their rows only. SQLite looks into the temporary schema first, so no question can forget the wall; and a table that
/// is not in the list of ``WallRule/tables`` is refused.
enum ProjectWall {
  /// Builds the wall. Nothing is seen until ``open(_:in:)``.
  static func build(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE reach(owner INTEGER PRIMARY KEY);
        CREATE TEMP TABLE reach_app(bundle TEXT PRIMARY KEY, isOwn INTEGER NOT NULL) WITHOUT ROWID;
        """)
    let tables = try String.fetchAll(
      database,
      sql:
        "SELECT name FROM main.sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    for table in tables { try shadow(table, in: database) }
    try IndexedRows.add(to: database) { WallRule.tables[$0] ?? .closed(reason: "") }
    try database.execute(
      sql: """
        -- A number that every event of one's own tells of, too; looking for one's newest could mean looking at all.
        CREATE TEMP VIEW newest_event AS SELECT MAX(id) AS id FROM main.event;
        CREATE TEMP VIEW seen_type AS SELECT DISTINCT event_type.name
          FROM (SELECT id FROM main.session WHERE +owner IN temp.reach ORDER BY last DESC LIMIT 1000) AS held
            CROSS JOIN main.session_type ON session_type.session = held.id
            CROSS JOIN main.event_type ON event_type.id = session_type.type;
        """)
  }

  private static func shadow(_ table: String, in database: Database) throws {
    let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
    if table == "event_text", case .rows(let condition) = WallRule.fullText {
      // A search names the table itself, as its hidden column.
      return try database.execute(
        sql: """
          CREATE TEMP VIEW event_text AS SELECT row.rowid AS rowid, row.event_text AS event_text
            FROM main.event_text AS row WHERE \(condition)
          """)
    }
    switch WallRule.tables[table] {
    case .rows(let condition):
      try database.execute(sql: "CREATE TEMP VIEW \(quoted) AS SELECT * FROM main.\(quoted) AS row WHERE \(condition)")
    case .common: break
    case .closed, nil:
      // There is no such function: whoever names the table is refused before anything is read.
      try database.execute(sql: "CREATE TEMP VIEW \(quoted) AS SELECT * FROM main.\(quoted) WHERE behind_the_wall()")
    }
  }

  /// Lets the connection see what belongs to these projects, and nothing else, until it is called again.
  static func open(_ projects: Set<String>, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM temp.reach").execute()
    try database.cachedStatement(sql: "DELETE FROM temp.reach_app").execute()
    let all = Set(try String.fetchAll(database.cachedStatement(sql: "SELECT bundleId FROM main.project")))
    let own = projects.intersection(all)
    let insert = try database.cachedStatement(sql: "INSERT OR IGNORE INTO temp.reach VALUES (?)")
    for project in own {
      for owner in try owners(of: project, among: all, in: database) {
        try insert.execute(arguments: [owner])
      }
    }
    let app = try database.cachedStatement(sql: "INSERT INTO temp.reach_app VALUES (?, ?)")
    for project in all { try app.execute(arguments: [project, own.contains(project)]) }
  }

  /// The rows of a project: of its app, and of what came from its extensions before there was the project, under their own names.
  ///
  /// - Parameter projects: all apps that are projects.
  static func owners(of project: String, among projects: Set<String>, in database: Database) throws -> [Int64] {
    let owners = try database.cachedStatement(
      sql: "SELECT id, name FROM main.owner WHERE name = ?1 OR name > ?1 || '.' AND name < ?1 || '/'")
    return try Row.fetchAll(owners, arguments: [DataOwner.app(project).name]).compactMap { row in
      DataOwner.app(DataOwner(name: row[1]).bundleId, among: projects).bundleId == project ? row[0] : nil
    }
  }
}
