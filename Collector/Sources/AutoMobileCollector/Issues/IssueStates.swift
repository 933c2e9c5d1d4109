import Foundation
import GRDB

/// What people decided about an issue.
enum IssueStatus: String, Sendable, CaseIterable {
  case open, resolved, ignored
}

/// Reads and writes what people decided about issues, and notices when a resolved one comes back.
struct IssueStates: Sendable {
  let store: EventStore

  /// Opens a resolved issue again, as a regression, when a report shows that it is not resolved.
  ///
  /// That is a report of something that happened after it was resolved; and if it was resolved in a version of the app, or
  /// in the one after it, one of that version or a later one, since earlier versions stay in use for a while.
  static func reopen(_ issue: Int64, timestamp: Int64, version: String?, in database: Database) throws {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT issue_state.name, version, changedAt FROM issue_state JOIN issue ON issue.name = issue_state.name
            WHERE issue.id = ? AND status = 'resolved'
            """), arguments: [issue])
    else { return }
    let (name, resolvedIn, resolvedAt): (String, String?, Int64) = (row[0], row[1], row[2])
    guard timestamp > resolvedAt else { return }
    if let resolvedIn, let version, !Fix(resolvedIn).includes(version) { return }
    try database.execute(
      sql: "UPDATE issue_state SET status = 'open', regressedAt = ?, regressedIn = ? WHERE name = ?",
      arguments: [timestamp, version, name])
    try IssueChange.add(.regressed, to: name, by: "", at: timestamp, in: database) { $0.member("version", version) }
  }

  /// The newest report of each version, newest first, of an issue that nobody resolved or ignored: none of these were
  /// expected, and none are because the issue is merged into one that is resolved.
  static func live(
    _ issue: Int64, _ name: String, in database: Database
  ) throws -> [(timestamp: Int64, version: String?)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT MAX(timestamp), version FROM issue_event
        WHERE issue = ? AND NOT EXISTS (SELECT 1 FROM issue_state WHERE name = ? AND status <> 'open')
        GROUP BY version ORDER BY 1 DESC
        """, arguments: [issue, name]
    ).map { ($0[0], $0[1]) }
  }

  /// In which versions an issue is said to be resolved.
  enum Fix: Sendable {
    case from(String)
    case after(String)

    /// As it is kept: `2.2`, or `>2.1`.
    init(_ text: String) { self = text.hasPrefix(">") ? .after(String(text.dropFirst())) : .from(text) }

    var text: String {
      switch self {
      case .from(let version): version
      case .after(let version): ">" + version
      }
    }

    func includes(_ version: String) -> Bool {
      switch self {
      case .from(let first): VersionOrder.compare(version, first) >= 0
      case .after(let last): VersionOrder.compare(version, last) > 0
      }
    }

    func write(to json: inout JSONOutput) {
      switch self {
      case .from(let version): json.member("resolvedIn", version)
      case .after(let version): json.member("resolvedAfter", version)
      }
    }
  }

  /// - Parameter fix: in which versions it is resolved; nil: in all, from now on.
  /// - Returns: false when there is no such issue.
  func set(
    _ status: IssueStatus, of name: String, fix: Fix?, by author: String, at now: Int64
  ) async throws -> Bool {
    try await store.pool.write { database in
      guard let name = try IssueMerges.known(name, in: database) else { return false }
      let before = try Stored(name, in: database)
      let after = Stored(
        status: status.rawValue, version: status == .resolved ? fix?.text : nil, changedAt: now, changedBy: author)
      try after.save(name, in: database)
      try IssueChange.add(.status, to: name, by: author, at: now, before: before.map { try $0.json() }, in: database) {
        $0.member("status", status.rawValue)
        if status == .resolved { fix?.write(to: &$0) }
      }
      return true
    }
  }

  /// Takes the last decision back: everything is as it was before, also a regression.
  ///
  /// - Returns: false when there is no such issue.
  func undo(_ name: String, by author: String, at now: Int64) async throws -> Bool {
    try await store.pool.write { database in
      guard let name = try IssueMerges.known(name, in: database) else { return false }
      let last = try Row.fetchOne(
        database,
        sql: """
          SELECT id, what, before, value FROM issue_change
          WHERE name = ? AND what IN ('status', 'regressed', 'undone') ORDER BY id DESC LIMIT 1
          """, arguments: [name])
      guard let last, last[1] == IssueChange.What.status.rawValue else {
        throw APIError(
          .conflict, "nothing_to_undo",
          last == nil
            ? "nothing to undo: this issue was never resolved, ignored or reopened"
            : "the last decision about this issue cannot be undone: it already was, or the issue has regressed since")
      }
      if let before: String = last[2] {
        try Stored(json: before).save(name, in: database)
      } else {
        try database.execute(sql: "DELETE FROM issue_state WHERE name = ?", arguments: [name])
      }
      let value: String? = last[3]
      try IssueChange.add(.undone, to: name, by: author, at: now, in: database) {
        $0.member("change", last[0] as Int64)
        $0.member("value", json: value ?? "{}")
      }
      return true
    }
  }

  /// A row of `issue_state`.
  private struct Stored: Codable {
    var status: String
    var version: String?
    var changedAt: Int64
    var changedBy: String
    var regressedAt: Int64?
    var regressedIn: String?

    init(status: String, version: String?, changedAt: Int64, changedBy: String) {
      (self.status, self.version, self.changedAt, self.changedBy) = (status, version, changedAt, changedBy)
    }

    init?(_ name: String, in database: Database) throws {
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT status, version, changedAt, changedBy, regressedAt, regressedIn FROM issue_state WHERE name = ?",
          arguments: [name])
      else { return nil }
      self.init(status: row[0], version: row[1], changedAt: row[2], changedBy: row[3])
      (regressedAt, regressedIn) = (row[4], row[5])
    }

    init(json: String) throws { self = try JSONDecoder().decode(Stored.self, from: Data(json.utf8)) }

    func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    func save(_ name: String, in database: Database) throws {
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO issue_state(name, status, version, changedAt, changedBy, regressedAt, regressedIn)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """, arguments: [name, status, version, changedAt, changedBy, regressedAt, regressedIn])
    }
  }
}
