import AutoMobileState
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `What an index noticed of issues` {
  /// An issue that was resolved and came back, of which the state has not been told.
  private static func with(_ body: (SharedIndexes.Member, SharedIndexes, _ issue: String) async throws -> Void)
    async throws
  {
    try await SharedIndexes.with(1) { shared in
      let member = shared.indexes[0]
      let issue = try member.add(1, "alpha", at: 1000)
      #expect(try await IssueStates(store: member.store).set(.resolved, of: issue, fix: nil, by: "ada", at: 2000))
      try member.add(2, "alpha", at: 3000)
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 1)
      try await body(member, shared, issue)
    }
  }

  private static func status(_ shared: SharedIndexes) throws -> [StateRow] {
    try shared.stated("SELECT status FROM issue_state")
  }

  @Test func `waits when the state does not take it, is told of, and keeps nothing else from being followed`()
    async throws
  {
    try await Self.with { member, shared, issue in
      member.state.refuses(StateError(.engine, "permission denied for table issue_state"))
      let copy = try StateCopy(member.store, logger: RunningCollector.quiet)
      copy.start()
      defer { copy.stop() }
      try await eventually("it is told that it waits") {
        copy.problem?.sentence.contains("noticed of issues waits") == true
      }
      // Somebody decides elsewhere.
      try await shared.truth.own.write { state in
        try state.execute("INSERT INTO issue_note(name, assignee) VALUES (?1, 'Tom')", issue)
        try state.tell(.issues, issue)
      }
      try await eventually("that is followed") { try member.count("SELECT COUNT(*) FROM issue_note") == 1 }
      // It is not taken back meanwhile, and nothing is lost.
      #expect(try member.count("SELECT COUNT(*) FROM issue_state WHERE status = 'open'") == 1)
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 1)
      #expect(try Self.status(shared) == [StateRow([.text("resolved")])])
      member.state.refuses(nil)
      try await eventually("the state is told") { try Self.status(shared) == [StateRow([.text("open")])] }
      try await eventually("all is well") { copy.problem == nil }
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 0)
    }
  }

  @Test func `is given up when the state could never take it, and that is said`() async throws {
    try await Self.with { member, shared, _ in
      member.state.breaks(.before(0), with: StateError(.value, "no such version"))
      try member.store.tellState()
      #expect(member.store.lostNotices.withLockedValue { $0 } == ["no such version"])
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 0)
    }
  }
}

@Suite struct `Issues that two collectors put together at once` {
  private static func with(
    first events: [String] = ["x", "y", "z"],
    _ body: (SharedIndexes, _ name: (String) -> String) async throws -> Void
  ) async throws {
    try await SharedIndexes.with(2) { shared in
      var names: [String: String] = [:]
      for (number, all) in [events, ["x", "y", "z"]].enumerated() {
        for (event, message) in all.enumerated() {
          names[message] = try shared.indexes[number].add(Int64(event + 1), message)
        }
      }
      try await body(shared) { names[$0] ?? "" }
    }
  }

  private static func merged(_ shared: SharedIndexes, _ name: String) throws -> String? {
    try shared.stated("SELECT target FROM issue_merge WHERE name = ?1", name).first.map { try $0[0] as String }
  }

  @Test func `are all in the one that the others were put into`() async throws {
    try await Self.with { shared, name in
      let (one, other) = (shared.indexes[0].store, shared.indexes[1].store)
      try await IssueMerges(store: other).merge([name("x")], into: name("y"), by: "bob", at: 1)
      // Of which this one has not heard.
      try await IssueMerges(store: one).merge([name("z")], into: name("x"), by: "ada", at: 2)
      #expect(try Self.merged(shared, name("x")) == name("y") && Self.merged(shared, name("z")) == name("y"))
      try other.pullIssues()
      for member in shared.indexes {
        #expect(try member.count("SELECT events FROM issue") == 3 && member.count("SELECT COUNT(*) FROM issue") == 1)
      }
    }
  }

  @Test func `stay where they were put when the other one does not show that`() async throws {
    try await Self.with(first: ["x", "z"]) { shared, name in
      let (one, other) = (shared.indexes[0].store, shared.indexes[1].store)
      try await IssueMerges(store: other).merge([name("x")], into: name("y"), by: "bob", at: 1)
      let error = await #expect(throws: APIError.self) {
        try await IssueMerges(store: one).merge([name("z")], into: name("x"), by: "ada", at: 2)
      }
      #expect(error?.code == "merged_elsewhere")
      #expect(try Self.merged(shared, name("x")) == name("y") && Self.merged(shared, name("z")) == nil)
      // The other way round says which of them it is from now on.
      try await IssueMerges(store: one).merge([name("x")], into: name("z"), by: "ada", at: 3)
      #expect(try Self.merged(shared, name("x")) == name("z"))
    }
  }

  @Test func `are put together when nobody has what one of them was in any more`() async throws {
    try await Self.with(first: ["x", "z"]) { shared, name in
      let (one, other, x, y, z) = (shared.indexes[0].store, shared.indexes[1].store, name("x"), name("y"), name("z"))
      try await IssueMerges(store: other).merge([x], into: y, by: "bob", at: 1)
      let now = WallClock.now
      try other.tellTargets(at: now)
      #expect(try shared.truth.own.readNow { try IssueTargets(in: $0).seen } == [y: now])
      let error = await #expect(throws: APIError.self) {
        try await IssueMerges(store: one).merge([z], into: x, by: "ada", at: 2)
      }
      #expect(error?.code == "merged_elsewhere")
      // That was the last time, and long ago. This one does not have it.
      try other.tellTargets(at: now - IssueTargets.lasts - 60_000)
      try one.tellTargets(at: now)
      try await IssueMerges(store: one).merge([z], into: x, by: "ada", at: 3)
      #expect(try Self.merged(shared, x) == nil && Self.merged(shared, z) == x)
    }
  }

  @Test func `are put together behind what this one noticed of them before`() async throws {
    try await Self.with { shared, name in
      let (member, x, y, z) = (shared.indexes[0], name("x"), name("y"), name("z"))
      try await IssueMerges(store: member.store).merge([z], into: x, by: "ada", at: 1)
      // Symbols say that what another one was merged into is called otherwise.
      try await member.store.pool.write { try IssueMerges.follow(x, to: "new", in: $0) }
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 1)
      try await IssueMerges(store: member.store).merge(["new"], into: y, by: "ada", at: 2)
      try member.store.tellState()
      for part in ["new", x, z] { #expect(try Self.merged(shared, part) == y, "\(part)") }
    }
  }

  @Test func `are put together while the state does not take what this one noticed`() async throws {
    try await Self.with { shared, name in
      let (member, x, y, z) = (shared.indexes[0], name("x"), name("y"), name("z"))
      try await IssueMerges(store: member.store).merge([z], into: x, by: "ada", at: 1)
      try await member.store.pool.write { try IssueMerges.follow(x, to: "new", in: $0) }
      member.state.breaks(.before(0), with: StateError(.engine, "permission denied for table issue_merge"))
      try await IssueMerges(store: member.store).merge([y], into: "new", by: "ada", at: 2)
      #expect(member.state.hasBroken)
      #expect(try Self.merged(shared, y) == "new")
      #expect(try member.count("SELECT COUNT(*) FROM issue_notice") == 1)
    }
  }

  @Test func `are put together all of them, or none`() async throws {
    try await Self.with { shared, name in
      let member = shared.indexes[0]
      member.state.breaks(.before(1))
      try await IssueMerges(store: member.store).merge([name("x"), name("y")], into: name("z"), by: "ada", at: 1)
      #expect(!member.state.hasBroken)
      #expect(try Self.merged(shared, name("x")) == name("z") && Self.merged(shared, name("y")) == name("z"))
      #expect(try member.count("SELECT events FROM issue") == 3)
    }
  }
}
