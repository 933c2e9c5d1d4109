import AutoMobileState
import Foundation

/// What people decided about an issue.
enum IssueStatus: String, Sendable, CaseIterable {
  case open, resolved, ignored
}

/// Writes what people decided about issues.
///
/// Whether there is an issue is looked up before, since the index may lie elsewhere. What is decided about one that is merged into
/// another meanwhile is there again when that is taken apart.
struct IssueStates: Sendable {
  let store: EventStore
  let state: any StateStore
  private let issues: any IssueDirectory

  /// - Parameters:
  ///   - store: has the state, or a copy of what of it is read together with issues.
  ///   - state: where decisions are; by default there as well.
  ///   - issues: where issues are; by default there as well.
  init(store: EventStore, state: (any StateStore)? = nil, issues: (any IssueDirectory)? = nil) {
    (self.store, self.state) = (store, state ?? store.state)
    self.issues = issues ?? SQLiteIssues(store: store, state: state)
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
    guard let name = try await issues.known(name) else { return false }
    try await state.write { state in
      let before = try Stored(name, in: state.reading)
      let after = Stored(
        status: status.rawValue, version: status == .resolved ? fix?.text : nil, changedAt: now, changedBy: author)
      try after.save(name, in: state)
      try IssueChange.add(.status, to: name, by: author, at: now, before: before.map { try $0.json() }, in: state) {
        $0.member("status", status.rawValue)
        if status == .resolved { fix?.write(to: &$0) }
      }
      try state.tell(.issues, name)
    }
    await store.follow(issue: name)
    return true
  }

  /// Takes the last decision back: everything is as it was before, also a regression.
  ///
  /// - Returns: false when there is no such issue.
  func undo(_ name: String, by author: String, at now: Int64) async throws -> Bool {
    guard let name = try await issues.known(name) else { return false }
    try await state.write { state in
      let last = try state.row(
        """
        SELECT id, what, before, value FROM issue_change
        WHERE name = ?1 AND what IN ('status', 'regressed', 'undone') ORDER BY id DESC LIMIT 1
        """, name)
      guard let last, try last[1] == IssueChange.What.status.rawValue else {
        throw APIError(
          .conflict, "nothing_to_undo",
          last == nil
            ? "nothing to undo: this issue was never resolved, ignored or reopened"
            : "the last decision about this issue cannot be undone: it already was, or the issue has regressed since")
      }
      let (change, before, value): (Int64, String?, String?) = try (last[0], last[2], last[3])
      if let before {
        try Stored(json: before).save(name, in: state)
      } else {
        try state.execute("DELETE FROM issue_state WHERE name = ?1", name)
      }
      try IssueChange.add(.undone, to: name, by: author, at: now, in: state) {
        $0.member("change", change)
        $0.member("value", json: value ?? "{}")
      }
      try state.tell(.issues, name)
    }
    await store.follow(issue: name)
    return true
  }

  /// Opens a resolved issue again, see ``isOver(resolvedIn:at:by:in:)``.
  ///
  /// - Returns: false when it is not resolved, or this report says nothing about that: done again, it changes nothing.
  static func reopen(_ name: String, at time: Int64, version: String?, in state: borrowing StateWriting) throws -> Bool
  {
    let row = try state.row(
      "SELECT version, changedAt FROM issue_state WHERE name = ?1 AND status = 'resolved'", name)
    guard let row, isOver(resolvedIn: try row[0], at: try row[1], by: time, in: version) else { return false }
    try state.execute(
      "UPDATE issue_state SET status = 'open', regressedAt = ?2, regressedIn = ?3 WHERE name = ?1", name, time, version)
    try IssueChange.add(.regressed, to: name, by: "", at: time, in: state) { $0.member("version", version) }
    return true
  }

  /// Whether a report shows that an issue is not resolved: it is of something that happened after that; and if it was resolved in a
  /// version of the app, or in the one after it, of that version or a later one, since earlier versions stay in use for a while.
  static func isOver(resolvedIn: String?, at resolvedAt: Int64, by time: Int64, in version: String?) -> Bool {
    guard time > resolvedAt else { return false }
    guard let resolvedIn, let version else { return true }
    return Fix(resolvedIn).includes(version)
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

    init?(_ name: String, in state: borrowing StateReading) throws {
      let row = try state.row(
        "SELECT status, version, changedAt, changedBy, regressedAt, regressedIn FROM issue_state WHERE name = ?1", name)
      guard let row else { return nil }
      try self.init(status: row[0], version: row[1], changedAt: row[2], changedBy: row[3])
      (regressedAt, regressedIn) = try (row[4], row[5])
    }

    init(json: String) throws { self = try JSONDecoder().decode(Stored.self, from: Data(json.utf8)) }

    func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    func save(_ name: String, in state: borrowing StateWriting) throws {
      try state.execute(
        """
        INSERT INTO issue_state(name, status, version, changedAt, changedBy, regressedAt, regressedIn)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO UPDATE
        SET status = ?2, version = ?3, changedAt = ?4, changedBy = ?5, regressedAt = ?6, regressedIn = ?7
        """, name, status, version, changedAt, changedBy, regressedAt, regressedIn)
    }
  }
}
