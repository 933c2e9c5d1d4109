import AutoMobileState
import GRDB

/// Issues that people put together, and take apart again.
///
/// Every report keeps the fingerprint that it has by itself, so a merge is a name that stands for another one, and taking it
/// apart puts each report back where it came from.
struct IssueMerges: Sendable {
  let store: EventStore
  /// Where issues are, when not in this index.
  var elsewhere: (any IssueDirectory)?
  /// Of one issue.
  static let most = 200

  /// An issue that was merged into the one at hand.
  struct Part: Sendable {
    var name: String
    var title: String
    var count: Int64

    func write(to json: inout JSONOutput) {
      json.object {
        $0.member("id", name)
        $0.member("title", title)
        $0.member("count", count)
      }
    }
  }

  // MARK: Names

  /// The name under which an issue is known now; nil when there is none.
  ///
  /// Its own when there is an issue of that name: what it was merged into can have been deleted with its last report, and
  /// then reports that came since are in an issue of their own.
  static func known(_ name: String, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT name FROM issue WHERE name IN (?1, (SELECT target FROM issue_merge WHERE issue_merge.name = ?1))
          ORDER BY name = ?1 DESC LIMIT 1
          """), arguments: [name])
  }

  /// The row of the issue that reports of this fingerprint are counted in; nil when nobody has merged it.
  static func target(of name: String, bundleId: String?, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT issue.id FROM issue_merge JOIN issue ON issue.name = issue_merge.target
          WHERE issue_merge.name = ? AND issue.bundleId IS ?
          """), arguments: [name, bundleId])
  }

  static func isPart(_ name: String, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM issue_merge WHERE name = ?)"), arguments: [name]
    ) == true
  }

  // MARK: Reports that are looked at again

  /// A report's fingerprint became another one, since its symbols are known now: what was merged stays merged.
  static func follow(_ old: String?, to new: String, in database: Database) throws {
    guard let old, old != new else { return }
    let isMerged = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM issue_merge WHERE name = ?1 AND target <> ?2)
            AND NOT EXISTS (SELECT 1 FROM issue_merge WHERE name = ?2) AND NOT EXISTS (SELECT 1 FROM issue WHERE name = ?2)
          """), arguments: [old, new])
    if isMerged == true { try IssueNotice.follows(fingerprint: new, old: old).note(in: database) }
    try rename(old, to: new, in: database)
  }

  private static func rename(_ old: String, to new: String, in database: Database) throws {
    let isFree = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM issue_merge WHERE target = ?1) AND EXISTS (SELECT 1 FROM issue WHERE name = ?1)
            AND NOT EXISTS (SELECT 1 FROM issue WHERE name = ?2)
            AND NOT EXISTS (SELECT 1 FROM issue_merge WHERE name = ?2 AND target <> ?1)
          """), arguments: [old, new])
    guard isFree == true, let side = try find(old, in: database) else { return }
    try IssueNotice.renamed(old: side.called, new: new).note(in: database)
    try database.execute(sql: "UPDATE issue SET name = ?2 WHERE name = ?1", arguments: [old, new])
  }

  /// An issue that begins with a report out of another one begins with what people decided and wrote down there.
  static func inherit(from old: Int64, to new: Int64, in database: Database) throws {
    func name(_ row: Int64) throws -> String? {
      try String.fetchOne(database.cachedStatement(sql: "SELECT name FROM issue WHERE id = ?"), arguments: [row])
    }
    let isNew = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT events = 0 FROM issue WHERE id = ?"), arguments: [new])
    guard isNew == true, let old = try name(old), let new = try name(new) else { return }
    try IssueNotice.begins(issue: new, outOf: old).note(in: database)
  }

  static func parts(of issue: Int64, _ name: String, in database: Database) throws -> [Part] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT name, template, cause, culprit,
          (SELECT COUNT(*) FROM issue_event WHERE issue = ? AND fingerprint = issue_merge.name)
        FROM issue_merge WHERE target = ? ORDER BY name LIMIT ?
        """, arguments: [issue, name, most]
    ).map { Part(name: $0[0], title: IssueText.title(template: $0[1], cause: $0[2], culprit: $0[3]), count: $0[4]) }
  }

  /// What a report's own issue says, not the one that it was merged into: a column of `issue`, beside ``joinPart``.
  static func own(_ column: String) -> String {
    "CASE WHEN part.name IS NULL THEN issue.\(column) ELSE part.\(column) END"
  }
  static let joinPart =
    "LEFT JOIN issue_merge AS part ON part.name = issue_event.fingerprint AND part.target = issue.name"

  // MARK: Changes

  struct Side {
    var row: Int64
    var kind: String
    var bundleId: String?
    var called: IssueNotice.IssueName
    /// What this index knows it to be merged into, of which it has no issue: or it would be that one.
    var target: String?
    var name: String { called.name }
  }

  private static func find(_ name: String, in database: Database) throws -> Side? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT id, kind, bundleId, name, cause, culprit, message, file, line, template,
          (SELECT target FROM issue_merge WHERE issue_merge.name = issue.name) FROM issue WHERE name = ?
        """, arguments: [name])
    return row.map {
      Side(
        row: $0[0], kind: $0[1], bundleId: $0[2],
        called: .init(
          name: $0[3], cause: $0[4], culprit: $0[5], message: $0[6], file: $0[7], line: $0[8], template: $0[9]),
        target: $0[10])
    }
  }

  private static func side(_ name: String, in database: Database) throws -> Side {
    guard let known = try known(name, in: database), let side = try find(known, in: database) else {
      throw IssueRoutes.noIssue(name)
    }
    return side
  }

  /// Two issues that can be one.
  struct Pair {
    var target: Side
    var source: Side
    /// Of the source; see ``IssueStates/live(_:_:in:)``.
    var live: [(timestamp: Int64, version: String?)]

    /// Nil: they are one already.
    init?(_ source: String, _ target: String, in database: Database) throws {
      self.target = try IssueMerges.side(target, in: database)
      self.source = try IssueMerges.side(source, in: database)
      guard self.source.row != self.target.row else { return nil }
      try IssueMerges.check(
        IssueSide(kind: self.source.kind, bundleId: self.source.bundleId, called: self.source.called),
        IssueSide(kind: self.target.kind, bundleId: self.target.bundleId, called: self.target.called))
      live = try IssueStates.live(self.source.row, self.source.name, in: database)
    }

    /// - Throws: ``IssueDecisions/Overtaken`` when somebody else has merged one of them since this index heard of merges.
    func check(in state: borrowing StateReading) throws {
      for side in [source, target] { try IssueDecisions.check(side.name, isMergedInto: side.target, in: state) }
    }

    func decide(by author: String, at now: Int64, in state: borrowing StateWriting) throws {
      try IssueDecisions.merge(source.called, into: target.name, by: author, at: now, in: state)
      for report in live {
        _ = try IssueStates.reopen(target.name, at: report.timestamp, version: report.version, in: state)
      }
    }
  }

  /// Counts the reports of other issues in this one, also those that come.
  ///
  /// Where the state is elsewhere, the decision goes there first: from there every collector, and this one after any end of its process,
  /// learns what its index has to do. An index that went first would be alone with it.
  ///
  /// - Throws: ``APIError`` when they cannot be one problem: of another app, or of another kind; or when the issue is merged itself, into
  ///   one that is not here.
  func merge(_ names: [String], into name: String, by author: String, at now: Int64) async throws {
    if let elsewhere { return try await decide(names, into: name, by: author, at: now, elsewhere) }
    guard store.sharesState else {
      return try await store.pool.write { database in
        for other in names {
          guard let pair = try Pair(other, name, in: database) else { continue }
          try store.own.within(database) { try pair.decide(by: author, at: now, in: $0) }
          try Self.carryOut(pair.source.row, into: pair.target.row, in: database)
        }
        try Self.recount(try Self.side(name, in: database).row, in: database)
      }
    }
    try await decideElsewhere(names, into: name, by: author, at: now)
  }

  /// Makes an issue of its own again of what was merged. In the order of ``merge(_:into:by:at:)``.
  func split(_ part: String, from name: String, by author: String, at now: Int64) async throws {
    if let elsewhere { return try await decideSplit(part, from: name, by: author, at: now, elsewhere) }
    guard store.sharesState else {
      return try await store.pool.write { database in
        let (target, called) = try Self.part(part, of: name, in: database)
        try store.own.within(database) {
          try IssueDecisions.split(called, from: target.name, by: author, at: now, in: $0)
        }
        try Self.carryOutSplit(called, from: target, in: database)
      }
    }
    let (target, called) = try await store.pool.read { try Self.part(part, of: name, in: $0) }
    try await store.state.write {
      try IssueDecisions.split(called, from: target.name, by: author, at: now, in: $0)
    }
    await store.followIssues()
  }

  static func noPart(_ part: String, of target: String) -> APIError {
    APIError(
      .notFound, "no_part",
      "\(String(part.prefix(60))) is not merged into this issue: its merged issues are in GET /api/issues/\(target)")
  }

  private static func part(
    _ part: String, of name: String, in database: Database
  ) throws -> (target: Side, part: IssueNotice.IssueName) {
    let target = try side(name, in: database)
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT name, cause, culprit, message, file, line, template FROM issue_merge WHERE name = ? AND target = ?
        """, arguments: [part, target.name])
    guard let row else { throw noPart(part, of: target.name) }
    return (target, IssueNotice.IssueName(row))
  }

  // MARK: What the index does of it

  /// What was decided elsewhere; nothing when this index does not have both, or has done it.
  static func carryOut(merging name: String, into target: String, in database: Database) throws {
    guard let source = try find(name, in: database), let target = try find(target, in: database),
      source.row != target.row, source.bundleId == target.bundleId, source.kind == target.kind
    else { return }
    try carryOut(source.row, into: target.row, in: database)
    try recount(target.row, in: database)
  }

  /// The same of what is taken apart.
  static func carryOut(splitting part: IssueNotice.IssueName, from target: String, in database: Database) throws {
    guard let target = try find(target, in: database) else { return }
    try carryOutSplit(part, from: target, in: database)
  }

  private static func carryOut(_ source: Int64, into target: Int64, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE issue SET first = MIN(IFNULL(issue.first, other.first), IFNULL(other.first, issue.first)),
          longest = MAX(IFNULL(issue.longest, other.longest), IFNULL(other.longest, issue.longest))
        FROM (SELECT first, longest FROM issue WHERE id = ?2) AS other WHERE issue.id = ?1
        """, arguments: [target, source])
    try database.execute(sql: "UPDATE issue_event SET issue = ? WHERE issue = ?", arguments: [target, source])
    try recount(source, in: database)
    try IssueSearchText.move(from: source, to: target, in: database)
    try database.execute(sql: "DELETE FROM issue WHERE id = ?", arguments: [source])
  }

  private static func carryOutSplit(
    _ part: IssueNotice.IssueName, from target: Side, in database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO issue(name, kind, bundleId, cause, culprit, message, file, line, template)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        part.name, target.kind, target.bundleId, part.cause, part.culprit, part.message, part.file, part.line,
        part.template,
      ])
    let own = try Int64.fetchOne(
      database, sql: "SELECT id FROM issue WHERE name = ? AND bundleId IS ?", arguments: [part.name, target.bundleId])
    guard let own else { return }
    try database.execute(
      sql: "UPDATE issue_event SET issue = ? WHERE issue = ? AND fingerprint = ?",
      arguments: [own, target.row, part.name])
    try recount(own, in: database)
    try recount(target.row, in: database)
    try database.execute(
      sql: "UPDATE issue SET first = (SELECT MIN(timestamp) FROM issue_event WHERE issue = ?1) WHERE id = ?1",
      arguments: [target.row])
    for row in [own, target.row] {
      try database.execute(
        sql: "UPDATE issue SET longest = (SELECT MAX(duration) FROM issue_event WHERE issue = ?1) WHERE id = ?1",
        arguments: [row])
      try IssueSearchText.lookAgain(row, in: database)
      try database.execute(sql: "DELETE FROM issue WHERE id = ? AND events = 0", arguments: [row])
    }
  }

  /// The sums of an issue, from what is true: its reports.
  private static func recount(_ issue: Int64, in database: Database) throws {
    // Hours are counted downwards, also before 1970.
    let hour = "(timestamp - (timestamp % 3600000 + 3600000) % 3600000) / 3600000"
    for (table, key, filter) in [
      ("issue_session", "session", ""), ("issue_version", "version", " AND version IS NOT NULL"),
      ("issue_hour", hour, ""),
    ] {
      try database.execute(sql: "DELETE FROM \(table) WHERE issue = ?", arguments: [issue])
      try database.execute(
        sql: "INSERT INTO \(table) SELECT issue, \(key), COUNT(*) FROM issue_event WHERE issue = ?\(filter) GROUP BY 2",
        arguments: [issue])
    }
    try database.execute(
      sql: """
        UPDATE issue SET events = (SELECT COUNT(*) FROM issue_event WHERE issue = ?1),
          first = IFNULL(first, (SELECT MIN(timestamp) FROM issue_event WHERE issue = ?1)),
          last = (SELECT MAX(timestamp) FROM issue_event WHERE issue = ?1),
          sample = (SELECT event FROM issue_event WHERE issue = ?1
            ORDER BY fingerprint IS (SELECT name FROM issue WHERE id = ?1) DESC, timestamp DESC LIMIT 1)
        WHERE id = ?1
        """, arguments: [issue])
  }
}

extension IssueNotice.IssueName {
  /// Of `name, cause, culprit, message, file, line, template`.
  init(_ row: Row) {
    self.init(
      name: row[0], cause: row[1], culprit: row[2], message: row[3], file: row[4], line: row[5], template: row[6])
  }
}
