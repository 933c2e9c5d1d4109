import Testing

@testable import AutoMobileState

/// What every store of the state has to do when several write.
@Suite struct `Writing to a store of the state` {
  private struct Stopped: Error, Equatable {}

  @Test(arguments: StateKind.allCases) func `keeps nothing of a write that throws, and tells nothing of it`(
    _ kind: StateKind
  ) async throws {
    try await kind.with { state, other in
      var news = other.news(of: [.settings]).makeAsyncIterator()
      try await state.write { try Counters.set("a", 1, in: $0) }
      await #expect(throws: Stopped()) {
        try await state.write { state in
          try Counters.set("a", 2, in: state)
          try state.tell(.settings, "never")
          throw Stopped()
        }
      }
      #expect(throws: Stopped()) {
        try state.writeNow { state in
          try Counters.set("a", 3, in: state)
          try state.tell(.settings, "never")
          throw Stopped()
        }
      }
      #expect(try await other.read { try Counters.count("a", in: $0) } == 1)
      try await state.write { try $0.tell(.settings, "after") }
      #expect(await news.next() == StateNews(.settings, "after"))
    }
  }

  @Test(arguments: StateKind.allCases)
  func `keeps nothing of a write of which a statement failed, whatever is made of it`(
    _ kind: StateKind
  ) async throws {
    try await kind.with { state, _ in
      let refused = await Counters.kind {
        try await state.write { state in
          try Counters.set("a", 1, in: state)
          try? Counters.set("b", -1, in: state)
          try? Counters.set("c", 1, in: state)
        }
      }
      #expect(refused == .refused)
      await #expect(throws: Stopped()) {
        try await state.write { state in
          do { try Counters.set("b", -1, in: state) } catch { throw Stopped() }
        }
      }
      await #expect(throws: (any Error).self) {
        _ = try await state.read { state in
          _ = try? state.rows("SELECT nothing FROM nowhere")
          return try? Counters.count("a", in: state)
        }
      }
      let names = try await state.read { try $0.rows("SELECT name FROM counter") }
      #expect(names.isEmpty)
    }
  }

  @Test(arguments: StateKind.allCases) func `tells what was written after it is kept, to whoever asked for it`(
    _ kind: StateKind
  ) async throws {
    try await kind.with { state, other in
      var settings = other.news(of: [.settings, .people]).makeAsyncIterator()
      var projects = state.news(of: [.projects]).makeAsyncIterator()
      let before = try await state.write { state in
        try Counters.set("a", 1, in: state)
        try state.tell(.settings, "a")
        try state.tell(.projects)
        try state.tell(.people, String(repeating: "x", count: StateNews.longestDetail + 1))
        // Nobody sees it yet.
        return try other.readNow { try Counters.count("a", in: $0) }
      }
      #expect(before == nil)
      #expect(await settings.next() == StateNews(.settings, "a"))
      #expect(try await other.read { try Counters.count("a", in: $0) } == 1)
      #expect(await settings.next() == StateNews(.people, ""))
      #expect(await projects.next() == StateNews(.projects, ""))
      for number in 1...20 { try state.writeNow { try $0.tell(.projects, "\(number)") } }
      for number in 1...20 { #expect(await projects.next() == StateNews(.projects, "\(number)")) }
    }
  }

  @Test(arguments: StateKind.allCases) func `ends the news when it is closed`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      var news = state.news(of: Set(StateSubject.allCases)).makeAsyncIterator()
      let hold = try await state.hold(StateWork("alerts"))
      try state.close()
      #expect(await news.next() == nil)
      #expect(hold?.isHeld == false)
    }
  }

  @Test(arguments: StateKind.allCases) func `shows a reader one moment`(_ kind: StateKind) async throws {
    try await kind.with { state, other in
      try await state.write { try Counters.set("a", 1, in: $0) }
      let seen = try await state.read { state in
        let first = try Counters.count("a", in: state)
        try other.writeNow { try Counters.set("a", 2, in: $0) }
        return [first, try Counters.count("a", in: state)]
      }
      #expect(seen == [1, 1])
      let now = try state.readNow { state in
        let first = try Counters.count("a", in: state)
        try other.writeNow { try Counters.set("a", 3, in: $0) }
        return [first, try Counters.count("a", in: state)]
      }
      #expect(now == [2, 2])
    }
  }

  @Test(arguments: StateKind.allCases) func `loses nothing of 64 who count at a time`(_ kind: StateKind) async throws {
    try await kind.with { state, other in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            try await (number % 2 == 0 ? state : other).write { state in
              // Read, then written: right only when nobody else wrote meanwhile.
              try Counters.set("a", (try Counters.count("a", in: state.reading) ?? 0) + 1, in: state)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await state.read { try Counters.count("a", in: $0) } == 64)
    }
  }

  // MARK: Work

  @Test(arguments: StateKind.allCases) func `gives a piece of work to one at a time`(_ kind: StateKind) async throws {
    try await kind.with { state, other in
      let alerts = StateWork("alerts")
      let first = try await state.hold(alerts)
      #expect(first?.isHeld == true && first?.work == alerts)
      #expect(try await other.hold(alerts) == nil)
      #expect(try await state.hold(alerts) == nil)
      let lane = try await other.hold(StateWork("lane 7 logs"))
      #expect(lane?.isHeld == true)
      first?.release()
      #expect(first?.isHeld == false)
      var second = try await PostgresFixture.held(alerts, by: other)
      #expect(second?.isHeld == true)
      // Another one has it now.
      first?.release()
      #expect(second?.isHeld == true)
      #expect(try await state.hold(alerts) == nil)
      second = nil
      let third = try await PostgresFixture.held(alerts, by: state)
      #expect(third?.isHeld == true)
      #expect(lane?.isHeld == true)
    }
  }
}
