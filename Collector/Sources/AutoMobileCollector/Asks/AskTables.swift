import AutoMobileState

/// The rows of what is asked for.
enum AskTables {
  static let sql = """
    CREATE TABLE ask(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bundleId TEXT NOT NULL,
      -- See Ask.Kind; the subject as apps say it, and a session's id in this index.
      kind TEXT NOT NULL, subject TEXT NOT NULL, session TEXT,
      fromTime INTEGER, toTime INTEGER,
      reason TEXT NOT NULL, askedBy TEXT NOT NULL, askedAt INTEGER NOT NULL, endsAt INTEGER NOT NULL,
      state TEXT NOT NULL, gone TEXT, changedAt INTEGER NOT NULL, changedBy TEXT,
      toldAt INTEGER, cameAt INTEGER, events INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL);
    CREATE INDEX ask_open ON ask(bundleId) WHERE state <> 'gone';
    CREATE INDEX ask_subject ON ask(kind, subject);
    """

  private static let select: StateSQL = "SELECT \(Ask.columns) FROM ask"

  static func one(_ id: Int64, in state: borrowing StateReading) throws -> Ask? {
    try state.row("\(select) WHERE id = ?1", id).flatMap(Ask.init)
  }

  /// All that stand.
  static func open(in state: borrowing StateReading) throws -> [Ask] {
    try state.rows("\(select) WHERE state <> 'gone' ORDER BY id").compactMap(Ask.init)
  }

  /// What is asked of the list.
  struct Filter: Sendable {
    var bundle: String?
    /// Only those about this one.
    var kind: Ask.Kind?
    var subject: String?
    var isOpen = false
    /// Only those with a lower number.
    var before: Int64?
    var limit = 50
  }

  /// Rows that are read in one go.
  private static let stride = 500

  /// The newest first.
  ///
  /// - Parameter sees: by the bundle id, whether whoever looks may see it.
  static func page(
    _ filter: Filter, where sees: (String) -> Bool = { _ in true }, in state: borrowing StateReading
  ) throws -> [Ask] {
    var (page, filter): ([Ask], Filter) = ([], filter)
    while true {
      let rows = try rows(filter, in: state)
      for row in rows {
        if let ask = try Ask(row), sees(ask.bundle) { page.append(ask) }
        if page.count == filter.limit { return page }
      }
      guard rows.count == stride, let last = rows.last else { return page }
      filter.before = try last[0]
    }
  }

  private static func rows(_ filter: Filter, in state: borrowing StateReading) throws -> [StateRow] {
    var conditions: [StateSQL] = filter.isOpen ? ["state <> 'gone'"] : []
    var values: [StateValue] = []
    func add(_ value: (any StateConvertible)?, _ condition: (StateSQL) -> StateSQL) {
      guard let value else { return }
      values.append(value.stateValue)
      conditions.append(condition("\(value: values.count)"))
    }
    add(filter.bundle?.keepable) { "bundleId = \($0)" }
    add(filter.kind?.rawValue) { "kind = \($0)" }
    add(filter.subject?.keepable) { "COALESCE(session, subject) = \($0)" }
    add(filter.before) { "id < \($0)" }
    values.append(stride.stateValue)
    let condition: StateSQL = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try state.rows(
      "\(select) \(condition) ORDER BY id DESC LIMIT \(value: values.count)", values: values)
  }

  // MARK: Writing

  static func insert(_ ask: Ask, in state: borrowing StateWriting) throws -> Ask {
    var ask = ask
    ask.id =
      try state.value(
        """
        INSERT INTO ask(bundleId, kind, subject, session, fromTime, toTime, reason, askedBy, askedAt, endsAt, state,
          changedAt, seen)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING id
        """, ask.bundle, ask.kind.rawValue, ask.subject, ask.session, ask.from, ask.to, ask.reason, ask.askedBy,
        ask.askedAt, ask.endsAt, ask.state.rawValue, ask.changedAt, ask.seen) ?? 0
    try state.tell(.asks, "\(ask.id)")
    return ask
  }

  // Each of these changes what it is about and nothing else, since another collector may have seen another part of it; and
  // changes nothing when it is done once more. What is gone stays so.

  /// An app has heard of it.
  static func noteTold(_ id: Int64, at now: Int64, in state: borrowing StateWriting) throws {
    let changed = try state.execute(
      """
      UPDATE ask SET toldAt = ?2, changedAt = CASE WHEN state = 'asked' THEN ?2 ELSE changedAt END,
        changedBy = CASE WHEN state = 'asked' THEN NULL ELSE changedBy END,
        state = CASE WHEN state = 'asked' THEN 'on_its_way' ELSE state END
      WHERE id = ?1 AND state <> 'gone' AND toldAt IS NULL
      """, id, now)
    if changed > 0 { try state.tell(.asks, "\(id)") }
  }

  /// Events of it have arrived, among those up to one.
  static func noteCame(
    _ id: Int64, _ events: Int64, upTo seen: Int64, at now: Int64, in state: borrowing StateWriting
  ) throws {
    let changed = try state.execute(
      """
      UPDATE ask SET events = events + ?2, seen = ?3, cameAt = COALESCE(cameAt, ?4),
        changedAt = CASE WHEN state = 'came' THEN changedAt ELSE ?4 END,
        changedBy = CASE WHEN state = 'came' THEN changedBy ELSE NULL END, state = 'came'
      WHERE id = ?1 AND state <> 'gone' AND seen < ?3
      """, id, events, seen, now)
    if changed > 0 { try state.tell(.asks, "\(id)") }
  }

  /// It has been looked at what arrived up to an event.
  static func noteSeen(_ id: Int64, upTo seen: Int64, in state: borrowing StateWriting) throws {
    try state.execute("UPDATE ask SET seen = ?2 WHERE id = ?1 AND state <> 'gone' AND seen < ?2", id, seen)
  }

  /// It is told to nobody any more.
  ///
  /// - Returns: false when it has gone already.
  @discardableResult
  static func end(
    _ id: Int64, _ end: Ask.End, at now: Int64, by author: String?, in state: borrowing StateWriting
  ) throws -> Bool {
    let changed = try state.execute(
      "UPDATE ask SET state = 'gone', gone = ?2, changedAt = ?3, changedBy = ?4 WHERE id = ?1 AND state <> 'gone'", id,
      end.rawValue, now, author)
    if changed > 0 { try state.tell(.asks, "\(id)") }
    return changed > 0
  }

  /// Takes away what has been gone for long, and the oldest beyond what is kept of each owner.
  static func purge(
    before time: Int64, beyond rows: Int64, _ projects: Set<String>, in state: borrowing StateWriting
  ) throws {
    try state.execute("DELETE FROM ask WHERE state = 'gone' AND changedAt < ?1", time)
    guard try state.value("SELECT COUNT(*) FROM ask") ?? 0 > rows else { return }
    func owner(_ bundle: String) -> DataOwner { DataOwner.app(bundle, among: projects) }
    var counts: [DataOwner: Int64] = [:]
    for row in try state.rows("SELECT bundleId, COUNT(*) FROM ask WHERE state = 'gone' GROUP BY bundleId") {
      let (bundle, count): (String, Int64) = try (row[0], row[1])
      counts[owner(bundle), default: 0] += count
    }
    guard counts.values.contains(where: { $0 > rows }) else { return }
    var kept: [DataOwner: Int64] = [:]
    for row in try state.rows("SELECT id, bundleId FROM ask WHERE state = 'gone' ORDER BY id DESC") {
      let (id, bundle): (Int64, String) = try (row[0], row[1])
      kept[owner(bundle), default: 0] += 1
      if kept[owner(bundle)] ?? 0 > rows { try state.execute("DELETE FROM ask WHERE id = ?1", id) }
    }
  }

  // MARK: Erasures

  /// Asks for somebody who is erased go, whatever became of them: their names and reasons are about the one.
  ///
  /// - Parameter sessions: as the index calls those of the one; what is asked for of them goes as well.
  /// - Returns: how many.
  static func erase(
    _ kind: Ask.Kind, _ subject: String, sessions: Set<String>, where admits: (String) -> Bool,
    in state: borrowing StateWriting
  ) throws -> Int64 {
    let found = try state.rows("SELECT id, bundleId FROM ask WHERE kind = ?1 AND subject = ?2", kind.rawValue, subject)
      .filter { admits(try $0[1]) }
    var count: Int64 = 0
    for row in found { count += Int64(try state.execute("DELETE FROM ask WHERE id = ?1", try row[0] as Int64)) }
    for session in sessions { count += Int64(try state.execute("DELETE FROM ask WHERE session = ?1", session)) }
    try state.tell(.asks)
    return count
  }
}
