import AutoMobileState

/// What people write down about an issue: who takes care of it, where else it is kept, and what they have to say.
struct IssueNotes: Sendable {
  let store: EventStore
  let state: any StateStore
  private let issues: any IssueDirectory

  /// - Parameters:
  ///   - store: has the state, or a copy of what of it is read together with issues.
  ///   - state: where notes are; by default there as well.
  ///   - issues: where issues are; by default there as well.
  init(store: EventStore, state: (any StateStore)? = nil, issues: (any IssueDirectory)? = nil) {
    (self.store, self.state) = (store, state ?? store.state)
    self.issues = issues ?? SQLiteIssues(store: store, state: state)
  }

  /// - Returns: false when there is no such issue.
  func assign(_ name: String, to assignee: String?, by author: String, at now: Int64) async throws -> Bool {
    try await set("assignee", "assignee", assignee, of: name, by: author, at: now, .assignee)
  }

  /// - Parameter link: of an external tracker; nil takes it away.
  func link(_ name: String, to link: String?, by author: String, at now: Int64) async throws -> Bool {
    try await set("link", "link", link, of: name, by: author, at: now, .link)
  }

  func comment(_ name: String, _ text: String, by author: String, at now: Int64) async throws -> Bool {
    try await change(name) { name, state in
      try IssueChange.add(.comment, to: name, by: author, at: now, in: state) { $0.member("text", text) }
    }
  }

  /// - Parameter member: by which the column's value is told.
  private func set(
    _ column: StateSQL, _ member: String, _ value: String?, of name: String, by author: String, at now: Int64,
    _ what: IssueChange.What
  ) async throws -> Bool {
    try await change(name) { name, state in
      let before: String? = try state.row("SELECT \(column) FROM issue_note WHERE name = ?1", name).flatMap {
        try $0[0]
      }
      guard before != value else { return }
      try state.execute(
        "INSERT INTO issue_note(name, \(column)) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET \(column) = ?2", name,
        value)
      try IssueChange.add(what, to: name, by: author, at: now, in: state) {
        $0.member(member, value)
        $0.member("before", before)
      }
    }
  }

  /// See ``IssueStates`` for why the issue is looked up before.
  private func change(
    _ name: String, _ body: @escaping @Sendable (String, borrowing StateWriting) throws -> Void
  ) async throws -> Bool {
    guard let known = try await issues.known(name) else { return false }
    try await state.write { state in
      try body(known, state)
      try state.tell(.issues, known)
    }
    await store.follow(issue: known)
    return true
  }
}
