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
  }

  /// - Parameter fix: in which versions it is resolved; nil: in all, from now on.
  /// - Returns: false when there is no such issue.
  func set(
    _ status: IssueStatus, of name: String, fix: Fix?, by author: String, at now: Int64
  ) async throws -> Bool {
    try await store.pool.write { database in
      let exists = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM issue WHERE name = ?)", arguments: [name])
      guard exists == true else { return false }
      try database.execute(
        sql: """
          INSERT INTO issue_state(name, status, version, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT DO UPDATE SET status = ?2, version = ?3, changedAt = ?4, changedBy = ?5,
            regressedAt = NULL, regressedIn = NULL
          """,
        arguments: [name, status.rawValue, status == .resolved ? fix?.text : nil, now, author])
      return true
    }
  }
}
