import GRDB

/// Issues that people put together, and take apart again.
///
/// Every report keeps the fingerprint that it has by itself, so a merge is a name that stands for another one, and taking it
/// apart puts each report back where it came from.
struct IssueMerges: Sendable {
  let store: EventStore
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

  /// A report's fingerprint became another one, since its symbols are known now: what was merged stays merged.
  static func follow(_ old: String?, to new: String, in database: Database) throws {
    guard let old, old != new else { return }
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO issue_merge
        SELECT ?2, target, cause, culprit, message, file, line, template FROM issue_merge
        WHERE name = ?1 AND target <> ?2 AND NOT EXISTS (SELECT 1 FROM issue WHERE name = ?2)
        """
    ).execute(arguments: [old, new])
    try rename(old, to: new, in: database)
  }

  /// What others were merged into keeps them, and what people decided about it, under its new name. The old one leads there.
  private static func rename(_ old: String, to new: String, in database: Database) throws {
    let isFree = try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM issue_merge WHERE target = ?1) AND EXISTS (SELECT 1 FROM issue WHERE name = ?1)
            AND NOT EXISTS (SELECT 1 FROM issue WHERE name = ?2)
            AND NOT EXISTS (SELECT 1 FROM issue_merge WHERE name = ?2 AND target <> ?1)
          """), arguments: [old, new])
    guard isFree == true else { return }
    try database.execute(sql: "DELETE FROM issue_merge WHERE name = ?", arguments: [new])
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO issue_merge
        SELECT name, ?2, cause, culprit, message, file, line, template FROM issue WHERE name = ?1
        """, arguments: [old, new])
    try database.execute(sql: "UPDATE issue_merge SET target = ?2 WHERE target = ?1", arguments: [old, new])
    try database.execute(sql: "UPDATE issue SET name = ?2 WHERE name = ?1", arguments: [old, new])
    for table in ["issue_state", "issue_note", "issue_change"] {
      try database.execute(sql: "UPDATE OR IGNORE \(table) SET name = ?2 WHERE name = ?1", arguments: [old, new])
    }
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

  private struct Side {
    var row: Int64
    var name: String
    var kind: String
    var bundleId: String?
    var title: String
  }

  private static func side(_ name: String, in database: Database) throws -> Side {
    guard let known = try known(name, in: database),
      let row = try Row.fetchOne(
        database, sql: "SELECT id, kind, bundleId, template, cause, culprit FROM issue WHERE name = ?",
        arguments: [known])
    else { throw IssueRoutes.noIssue(name) }
    return Side(
      row: row[0], name: known, kind: row[1], bundleId: row[2],
      title: IssueText.title(template: row[3], cause: row[4], culprit: row[5]))
  }

  /// Counts the reports of other issues in this one, also those that come.
  ///
  /// - Throws: ``APIError`` when they cannot be one problem: of another app, or of another kind.
  func merge(_ names: [String], into name: String, by author: String, at now: Int64) async throws {
    try await store.pool.write { database in
      let target = try Self.side(name, in: database)
      for other in names {
        let source = try Self.side(other, in: database)
        guard source.row != target.row else { continue }
        guard source.bundleId == target.bundleId, source.kind == target.kind else {
          throw APIError.badRequest(
            "not_alike", "only issues of one app and one kind can be merged: “\(source.title)” has another app or kind")
        }
        let parts = try Int.fetchOne(
          database, sql: "SELECT COUNT(*) FROM issue_merge WHERE target IN (?, ?)",
          arguments: [target.name, source.name])
        guard parts ?? 0 < Self.most else {
          throw APIError(.conflict, "too_many", "at most \(Self.most) issues can be merged into one")
        }
        // What had been merged into it before comes along. What was a part of it once is no more.
        try database.execute(sql: "DELETE FROM issue_merge WHERE name = ?", arguments: [target.name])
        try database.execute(
          sql: "UPDATE issue_merge SET target = ? WHERE target = ?", arguments: [target.name, source.name])
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO issue_merge
            SELECT name, ?, cause, culprit, message, file, line, template FROM issue WHERE id = ?
            """, arguments: [target.name, source.row])
        try database.execute(
          sql: """
            UPDATE issue SET first = MIN(IFNULL(issue.first, other.first), IFNULL(other.first, issue.first)),
              longest = MAX(IFNULL(issue.longest, other.longest), IFNULL(other.longest, issue.longest))
            FROM (SELECT first, longest FROM issue WHERE id = ?2) AS other WHERE issue.id = ?1
            """, arguments: [target.row, source.row])
        let live = try IssueStates.live(source.row, source.name, in: database)
        try database.execute(
          sql: "UPDATE issue_event SET issue = ? WHERE issue = ?", arguments: [target.row, source.row])
        try Self.recount(source.row, in: database)
        try IssueSearchText.move(from: source.row, to: target.row, in: database)
        try database.execute(sql: "DELETE FROM issue WHERE id = ?", arguments: [source.row])
        try IssueChange.add(.merged, to: target.name, by: author, at: now, in: database) {
          $0.member("issue", source.name)
          $0.member("title", source.title)
        }
        for report in live {
          try IssueStates.reopen(target.row, timestamp: report.timestamp, version: report.version, in: database)
        }
      }
      try Self.recount(target.row, in: database)
    }
  }

  /// Makes an issue of its own again of what was merged.
  func split(_ part: String, from name: String, by author: String, at now: Int64) async throws {
    try await store.pool.write { database in
      let target = try Self.side(name, in: database)
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT template, cause, culprit FROM issue_merge WHERE name = ? AND target = ?",
          arguments: [part, target.name])
      else {
        throw APIError(
          .notFound, "no_part",
          "\(String(part.prefix(60))) is not merged into this issue: its merged issues are in GET /api/issues/\(target.name)"
        )
      }
      let title = IssueText.title(template: row[0], cause: row[1], culprit: row[2])
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO issue(name, kind, bundleId, cause, culprit, message, file, line, template)
          SELECT name, ?2, ?3, cause, culprit, message, file, line, template FROM issue_merge WHERE name = ?1
          """, arguments: [part, target.kind, target.bundleId])
      try database.execute(sql: "DELETE FROM issue_merge WHERE name = ?", arguments: [part])
      let own = try Int64.fetchOne(
        database, sql: "SELECT id FROM issue WHERE name = ? AND bundleId IS ?", arguments: [part, target.bundleId])
      if let own {
        try database.execute(
          sql: "UPDATE issue_event SET issue = ? WHERE issue = ? AND fingerprint = ?",
          arguments: [own, target.row, part])
        try Self.recount(own, in: database)
        try Self.recount(target.row, in: database)
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
      try IssueChange.add(.split, to: target.name, by: author, at: now, in: database) {
        $0.member("issue", part)
        $0.member("title", title)
      }
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
