import AutoMobileState
import Foundation

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

  /// Names of what was written together, for a month: whoever does not know whether it was kept writes it again under its name.
  static let batches = """
    CREATE TABLE audit_batch(name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

    """
  /// Milliseconds.
  private static let batchesAreKept: Int64 = 30 * 86_400_000

  /// - Parameter name: of all of them; what is there under it already is not put in again.
  static func insert(
    _ entries: [AuditEntry], as name: String, at now: Int64, in state: borrowing StateWriting
  ) throws {
    let isNew = try state.execute(
      "INSERT INTO audit_batch(name, at) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING", name, now)
    guard isNew > 0 else { return }
    // Names come from strangers, and one that cannot be kept must not cost the others.
    func kept(_ text: String) -> String { text.replacing("\0", with: "\u{FFFD}") }
    for entry in entries {
      try state.execute(
        """
        INSERT INTO audit(at, who, by, address, action, route, thing, status) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """, entry.at, kept(entry.who), kept(entry.by), entry.address.map(kept), entry.action.rawValue, entry.route,
        entry.thing.map(kept), entry.status)
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
  static func page(_ filter: Filter, in state: borrowing StateReading) throws -> [AuditEntry] {
    var conditions: [StateSQL] = []
    var values: [StateValue] = []
    func add(_ value: (any StateConvertible)?, _ condition: (StateSQL) -> StateSQL) {
      guard let value else { return }
      values.append(value.stateValue)
      conditions.append(condition("\(value: values.count)"))
    }
    func contains(_ column: StateSQL, _ place: StateSQL) -> StateSQL { "\(column) LIKE \(place) ESCAPE '\\'" }
    add(filter.who.map(pattern)) {
      "(\(contains("who", $0)) OR \(contains("by", $0)) OR \(contains("address", $0)))"
    }
    add(filter.what.map(pattern)) { "(\(contains("thing", $0)) OR \(contains("route", $0)))" }
    add(filter.action?.rawValue) { "action = \($0)" }
    add(filter.from) { "at >= \($0)" }
    add(filter.to) { "at < \($0)" }
    add(filter.before) { "id < \($0)" }
    values.append(filter.limit.stateValue)
    let condition: StateSQL = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try state.rows(
      """
      SELECT id, at, who, by, address, action, route, thing, status FROM audit \(condition)
      ORDER BY id DESC LIMIT \(value: values.count)
      """, values: values
    ).compactMap { row in
      guard let action = AuditEntry.Action(rawValue: try row[5]) else { return nil }
      return try AuditEntry(
        id: row[0], at: row[1], who: row[2], by: row[3], address: row[4], action: action, route: row[6],
        thing: row[7], status: row[8])
    }
  }

  /// Has a text that somebody looks for be no pattern.
  private static func pattern(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    return "%\(escaped.replacing("\0", with: "\u{FFFD}"))%"
  }

  /// Takes away what is older than that, and of the rest the oldest beyond so many; not more than a batch at once.
  static func purge(
    before time: Int64, beyond rows: Int64, at now: Int64, in state: borrowing StateWriting
  ) throws {
    try state.execute("DELETE FROM audit_batch WHERE at < ?1", now - batchesAreKept)
    try state.execute(
      "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ?1 ORDER BY id LIMIT 10000)", time)
    try state.execute(
      """
      DELETE FROM audit WHERE id IN (
        SELECT id FROM audit WHERE id <= (SELECT MAX(id) FROM audit) - ?1 ORDER BY id LIMIT 10000)
      """, rows)
  }
}
