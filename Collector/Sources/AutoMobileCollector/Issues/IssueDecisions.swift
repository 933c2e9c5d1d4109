import AutoMobileState

/// Rows about issues that belong together: what people decided, wrote down and put together, by the issues' names.
enum IssueDecisions {
  private static let merged: StateSQL = "name, target, cause, culprit, message, file, line, template"

  // MARK: When the index learns more

  /// An issue that nobody decided anything about begins with what was decided and written down about another one.
  static func inherit(from old: String, to new: String, in state: borrowing StateWriting) throws -> Bool {
    let isDecided = try state.row(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM issue_change WHERE name = ?1) OR EXISTS (SELECT 1 FROM issue_state WHERE name = ?1)
      """, new)
    guard isDecided == nil else { return false }
    let states = try state.execute(
      """
      INSERT INTO issue_state(name, status, version, changedAt, changedBy, regressedAt, regressedIn)
      SELECT CAST(?1 AS TEXT), status, version, changedAt, changedBy, regressedAt, regressedIn FROM issue_state WHERE name = ?2
      ON CONFLICT (name) DO NOTHING
      """, new, old)
    let notes = try state.execute(
      """
      INSERT INTO issue_note(name, assignee, link) SELECT CAST(?1 AS TEXT), assignee, link FROM issue_note WHERE name = ?2
      ON CONFLICT (name) DO NOTHING
      """, new, old)
    let changes = try state.execute(
      """
      INSERT INTO issue_change(name, at, author, what, value, before)
      SELECT CAST(?1 AS TEXT), at, author, what, value, before FROM issue_change WHERE name = ?2 ORDER BY id
      """, new, old)
    return states + notes + changes > 0
  }

  /// The new fingerprint is merged where the old one is.
  static func follow(_ old: String, to new: String, in state: borrowing StateWriting) throws -> Bool {
    try state.execute(
      """
      INSERT INTO issue_merge(\(merged))
      SELECT CAST(?2 AS TEXT), target, cause, culprit, message, file, line, template FROM issue_merge
      WHERE name = ?1 AND target <> ?2 ON CONFLICT (name) DO NOTHING
      """, old, new) > 0
  }

  /// What others were merged into keeps them, and what people decided about it, under its new name. The old one leads there.
  static func rename(_ old: IssueNotice.IssueName, to new: String, in state: borrowing StateWriting) throws -> Bool {
    // Done already, or taken apart meanwhile.
    guard try state.row("SELECT 1 FROM issue_merge WHERE target = ?1 LIMIT 1", old.name) != nil else { return false }
    try state.execute("DELETE FROM issue_merge WHERE name = ?1", new)
    try put(old, into: new, in: state)
    try state.execute("UPDATE issue_merge SET target = ?2 WHERE target = ?1", old.name, new)
    try state.execute(
      """
      UPDATE issue_state SET name = ?2
      WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM issue_state AS other WHERE other.name = ?2)
      """, old.name, new)
    try state.execute(
      """
      UPDATE issue_note SET name = ?2
      WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM issue_note AS other WHERE other.name = ?2)
      """, old.name, new)
    try state.execute("UPDATE issue_change SET name = ?2 WHERE name = ?1", old.name, new)
    return true
  }

  // MARK: When people decide

  /// What was looked at is something else in the state by now.
  struct Overtaken: Error {}

  /// - Parameter target: what whoever decides knows it to be merged into; nil: nothing.
  /// - Throws: ``Overtaken`` when the state has it otherwise.
  static func check(_ name: String, isMergedInto target: String?, in state: borrowing StateReading) throws {
    let current: String? = try state.value("SELECT target FROM issue_merge WHERE name = ?1", name)
    guard current == target else { throw Overtaken() }
  }

  /// Has the reports of one issue counted in another one, with all that was merged into it before.
  ///
  /// - Throws: ``APIError`` when there are too many.
  static func merge(
    _ source: IssueNotice.IssueName, into target: String, by author: String, at now: Int64,
    in state: borrowing StateWriting
  ) throws {
    let parts: Int? = try state.value("SELECT COUNT(*) FROM issue_merge WHERE target IN (?1, ?2)", target, source.name)
    guard parts ?? 0 < IssueMerges.most else {
      throw APIError(.conflict, "too_many", "at most \(IssueMerges.most) issues can be merged into one")
    }
    // What was a part of it once is no more.
    try state.execute("DELETE FROM issue_merge WHERE name = ?1", target)
    try state.execute("UPDATE issue_merge SET target = ?1 WHERE target = ?2", target, source.name)
    try put(source, into: target, in: state)
    try IssueChange.add(.merged, to: target, by: author, at: now, in: state) {
      $0.member("issue", source.name)
      $0.member("title", source.title)
    }
    try state.tell(.issues, target)
  }

  /// Makes an issue of its own again of what was merged.
  static func split(
    _ part: IssueNotice.IssueName, from target: String, by author: String, at now: Int64,
    in state: borrowing StateWriting
  ) throws {
    guard try state.execute("DELETE FROM issue_merge WHERE name = ?1 AND target = ?2", part.name, target) > 0 else {
      throw IssueMerges.noPart(part.name, of: target)
    }
    try IssueChange.add(.split, to: target, by: author, at: now, in: state) {
      $0.member("issue", part.name)
      $0.member("title", part.title)
    }
    try state.tell(.issues, target)
  }

  private static func put(
    _ part: IssueNotice.IssueName, into target: String, in state: borrowing StateWriting
  ) throws {
    try state.execute(
      """
      INSERT INTO issue_merge(\(merged)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (name) DO UPDATE
      SET target = ?2, cause = ?3, culprit = ?4, message = ?5, file = ?6, line = ?7, template = ?8
      """, part.name, target, part.cause, part.culprit, part.message, part.file, part.line, part.template)
  }
}
