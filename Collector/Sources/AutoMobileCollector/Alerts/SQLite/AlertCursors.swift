import AutoMobileState
import GRDB
import NIOConcurrencyHelpers

/// Up to which report rules have been looked at in this index, where the rules are in a state that collectors share: each of them counts
/// its reports by itself, so a number of one says nothing to another.
///
/// A rule that this collector has not looked at begins with what comes from when it took the turn on. One that it has looked at goes on
/// where it was: also with what came while another collector had the turn.
///
/// What is told is written to the state first, and how far that was to the index: a process that ends between the two looks at the same
/// reports again, and the state knows of what it has told, see ``AlertDecision``.
final class AlertCursors: Sendable {
  static let table = """
    CREATE TABLE alert_cursor(
      rule INTEGER PRIMARY KEY,
      -- Of the rule as it was looked at: one that was set anew has no past.
      since INTEGER NOT NULL,
      cursor INTEGER NOT NULL);

    """

  private let store: EventStore
  /// The newest report when the turn was taken.
  private let start = NIOLockedValueBox<Int64>(0)

  init(_ store: EventStore) { self.store = store }

  /// The turn was taken: what came before is not for rules that this collector has not looked at.
  func begin() throws {
    let newest = try store.pool.read { try Self.newest(in: $0) }
    start.withLockedValue { $0 = newest }
  }

  /// From where a rule looks on. What it begins with is kept at once, so that it goes on there when another one has had the turn.
  func cursor(of rule: AlertRule) throws -> Int64 {
    let known = try store.own.readNow {
      try $0.value("SELECT cursor FROM alert_cursor WHERE rule = ?1 AND since = ?2", rule.id, rule.since) as Int64?
    }
    if let known { return known }
    // One that was set a moment ago, perhaps at another collector: from then on.
    let before = try store.pool.read { try Self.newest(receivedBefore: rule.since, in: $0) }
    let cursor = max(start.withLockedValue { $0 }, before)
    try move(rule, to: cursor)
    return cursor
  }

  func move(_ rule: AlertRule, to cursor: Int64) throws {
    try store.own.writeNow {
      _ = try $0.execute(
        """
        INSERT INTO alert_cursor(rule, since, cursor) VALUES (?1, ?2, ?3)
        ON CONFLICT (rule) DO UPDATE SET since = ?2, cursor = ?3
        """, rule.id, rule.since, cursor)
    }
  }

  /// Those of rules that are not there any more.
  func forget(except rules: [Int64]) throws {
    let known = try store.own.readNow { try $0.rows("SELECT rule FROM alert_cursor").map { try $0[0] as Int64 } }
    let gone = Set(known).subtracting(rules)
    guard !gone.isEmpty else { return }
    try store.own.writeNow { for rule in gone { try $0.execute("DELETE FROM alert_cursor WHERE rule = ?1", rule) } }
  }

  /// The newest report.
  static func newest(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT MAX(event) FROM issue_event") ?? 0
  }

  /// The newest report that had come before then; one whose event is not there counts as such. Looks at what came later, which is little of a
  /// rule that was just set.
  private static func newest(receivedBefore time: Int64, in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT issue_event.event FROM issue_event LEFT JOIN event ON event.id = issue_event.event
        WHERE IFNULL(event.received, 0) < ? ORDER BY issue_event.event DESC LIMIT 1
        """, arguments: [time]) ?? 0
  }
}
