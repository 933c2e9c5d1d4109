import AutoMobilePostgres
import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

/// Decisions about an issue, each write run twice as it may be where others write.
@Suite struct `Decisions that are run again` {
  private static func with(_ body: (EventStore, any StateStore, _ issue: String) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let issue = Kept("")
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "mira")
      batch.add(.event, `What people write down about issues`.failure("The payment failed", at: 1000))
      try await collector.post(raw: batch)
      let issues = try await collector.wait(for: "/api/issues") { !$0["issues"].array.isEmpty }
      issue.set(try #require(issues["issues"][0]["id"].string))
    }
    let path = directory.url.appending(path: "index.sqlite").path
    let store = try EventStore(path: path, fullText: false, maximumDepth: 64)
    let state = SQLiteState(store.pool, rehearses: true)
    try await body(store, state, issue.value)
    state.close()
    // What it has written is a copy of nothing.
    try await store.pool.write {
      try $0.execute(sql: "DELETE FROM issue_state; DELETE FROM issue_note; DELETE FROM issue_change")
    }
    try store.close()
    guard SharedState.isThere else { return }
    try await SharedState.with { database in
      let shared = try PostgresState(SharedState.options(database, rehearses: true))
      let store = try EventStore(path: path, fullText: false, maximumDepth: 64, state: shared)
      try await body(store, shared, issue.value)
      try store.close()
    }
  }

  @Test func `are written down once, and taken back once`() async throws {
    try await Self.with { store, state, issue in
      let (states, notes) = (IssueStates(store: store, state: state), IssueNotes(store: store, state: state))
      #expect(try await states.set(.resolved, of: issue, fix: .after("2.1"), by: "ada", at: 5))
      #expect(try await states.set(.ignored, of: issue, fix: nil, by: "bob", at: 6))
      #expect(try await states.undo(issue, by: "bob", at: 7))
      #expect(try await notes.assign(issue, to: "Tom", by: "ada", at: 8))
      // Nothing is different, so nothing is written down.
      #expect(try await notes.assign(issue, to: "Tom", by: "bob", at: 9))
      #expect(try await notes.link(issue, to: "https://tracker.example/7", by: "ada", at: 10))
      #expect(try await notes.comment(issue, "seen", by: "ada", at: 11))
      #expect(try await !notes.comment("nobody", "seen", by: "ada", at: 11))
      await #expect(throws: APIError.self) { try await states.undo(issue, by: "bob", at: 12) }
      let row = try await state.read {
        try $0.row("SELECT status, version, changedAt, changedBy FROM issue_state WHERE name = ?1", issue)
      }
      #expect(row == StateRow([.text("resolved"), .text(">2.1"), .integer(5), .text("ada")]))
      let note = try await state.read { try $0.row("SELECT assignee, link FROM issue_note WHERE name = ?1", issue) }
      #expect(note == StateRow([.text("Tom"), .text("https://tracker.example/7")]))
      let history = try await state.read { try IssueChange.list(issue, in: $0) }
      #expect(history.map(\.what) == ["comment", "link", "assignee", "undone", "status", "status"])
      // What the index reads for itself is the same.
      #expect(try await store.pool.read { try IssueStates.live(1, issue, in: $0) }.isEmpty)
    }
  }
}
