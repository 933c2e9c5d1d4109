import Foundation
import GRDB

/// The rows of the audit log. Nothing changes one; they go when their time is over.
enum AuditTables {
  static let sql = """
    CREATE TABLE audit(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL, who TEXT NOT NULL, by TEXT NOT NULL, address TEXT,
      action TEXT NOT NULL, route TEXT NOT NULL, thing TEXT, status INTEGER NOT NULL);
    CREATE INDEX audit_at ON audit(at);
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is appended to, and not changed'); END;
    """

  static func insert(_ entries: [AuditEntry], in database: Database) throws {
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO audit(at, who, by, address, action, route, thing, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for entry in entries {
      try insert.execute(arguments: [
        entry.at, entry.who, entry.by, entry.address, entry.action.rawValue, entry.route, entry.thing, entry.status,
      ])
    }
  }

  /// What is asked of the log.
  struct Filter: Sendable {
    /// In the name, in what it is known by or in the address.
    var who: String?
    var action: AuditEntry.Action?
    /// In the thing's name or in the route.
    var what: String?
    var from: Int64?
    var to: Int64?
    /// Only those before this one.
    var before: Int64?
    var limit = 100
  }

  /// The newest first.
  static func page(_ filter: Filter, in database: Database) throws -> [AuditEntry] {
    var conditions: [String] = []
    var arguments: StatementArguments = []
    func add(_ sql: String, _ value: (any DatabaseValueConvertible)?, times: Int = 1) {
      guard let value else { return }
      conditions.append(sql)
      for _ in 0..<times { arguments += [value] }
    }
    func pattern(_ text: String?) -> String? {
      text.map { "%" + $0.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%" }
    }
    add(
      "(who LIKE ? ESCAPE '\\' OR by LIKE ? ESCAPE '\\' OR address LIKE ? ESCAPE '\\')", pattern(filter.who), times: 3)
    add("(thing LIKE ? ESCAPE '\\' OR route LIKE ? ESCAPE '\\')", pattern(filter.what), times: 2)
    add("action = ?", filter.action?.rawValue)
    add("at >= ?", filter.from)
    add("at < ?", filter.to)
    add("id < ?", filter.before)
    arguments += [filter.limit]
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    return try Row.fetchAll(
      database,
      sql: """
        SELECT id, at, who, by, address, action, route, thing, status FROM audit \(condition) ORDER BY id DESC LIMIT ?
        """, arguments: arguments
    ).compactMap { row in
      guard let action = AuditEntry.Action(rawValue: row[5]) else { return nil }
      return AuditEntry(
        id: row[0], at: row[1], who: row[2], by: row[3], address: row[4], action: action, route: row[6],
        thing: row[7], status: row[8])
    }
  }

  /// Takes away what is older than that, and of the rest the oldest beyond so many; not more than a batch at once.
  static func purge(before time: Int64, beyond rows: Int64, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY id LIMIT 10000)",
      arguments: [time])
    try database.execute(
      sql: """
        DELETE FROM audit WHERE id IN (
          SELECT id FROM audit WHERE id <= (SELECT MAX(id) FROM audit) - ? ORDER BY id LIMIT 10000)
        """, arguments: [rows])
  }
}
