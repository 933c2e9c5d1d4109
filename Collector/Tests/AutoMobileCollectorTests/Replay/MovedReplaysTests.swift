import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

/// Who makes moved replays its own, and when that is done.
@Suite struct `The list of moves of replays` {
  private static func with(_ body: (any StateStore) throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 512)
    defer { try? store.close() }
    try await SharedState.withEach(store) { try body($0) }
  }

  private static func write(_ list: String, _ state: any StateStore) throws {
    try state.writeNow { try StateSetting.write("moved_replays", list, by: "test", at: 1, in: $0) }
  }

  private static func names(_ taken: [MovedReplays.Taken]) -> [String] { taken.map(\.move) }

  @Test func `one collector gets a move, until it is done`() async throws {
    try await Self.with { state in
      let now = WallClock.now
      for name in ["one", "two"] { _ = try WriterList.take(name, in: state, at: now) }
      try MovedReplays.begin("m", in: state)
      #expect(try MovedReplays.take(by: "one", in: state).isEmpty, "a command puts packs of it")
      try MovedReplays.add("m", in: state)
      let taken = try MovedReplays.take(by: "one", in: state)
      #expect(Self.names(taken) == ["m"])
      #expect(try MovedReplays.take(by: "two", in: state).isEmpty)
      #expect(try MovedReplays.take(by: "one", in: state) == taken)
      for move in taken { try MovedReplays.finish(move, in: state) }
      #expect(try MovedReplays.take(by: "one", in: state).isEmpty)
    }
  }

  @Test func `what a second run brings while a collector makes the first one's its own is not taken for done`()
    async throws
  {
    try await Self.with { state in
      _ = try WriterList.take("one", in: state, at: WallClock.now)
      try MovedReplays.add("m", in: state)
      let first = try #require(try MovedReplays.take(by: "one", in: state).first)
      #expect(try MovedReplays.isCurrent(first, in: state))
      try MovedReplays.begin("m", in: state)
      #expect(try !MovedReplays.isCurrent(first, in: state))
      try MovedReplays.add("m", in: state)
      try MovedReplays.finish(first, in: state)
      let second = try #require(try MovedReplays.take(by: "one", in: state).first)
      #expect(second != first)
      try MovedReplays.finish(second, in: state)
      #expect(try MovedReplays.take(by: "one", in: state).isEmpty)
    }
  }

  @Test func `a command that never comes back keeps nobody from what it has put, and is told so when it does`()
    async throws
  {
    try await Self.with { state in
      let now = WallClock.now
      _ = try WriterList.take("one", in: state, at: now)
      #expect(try !MovedReplays.begin("m", in: state, at: now), "nobody had said so before")
      let soon = now + MovedReplays.longestSilence - 1
      _ = try WriterList.take("one", in: state, at: soon)
      #expect(try MovedReplays.take(by: "one", in: state, at: soon).isEmpty)
      // It goes on in time, and is waited for again.
      #expect(try MovedReplays.begin("m", in: state, at: soon))
      #expect(try MovedReplays.take(by: "one", in: state, at: soon + 2).isEmpty)
      let late = soon + MovedReplays.longestSilence
      let taken = try #require(try MovedReplays.take(by: "one", in: state, at: late).first)
      #expect(try !MovedReplays.begin("m", in: state, at: late), "somebody may have made a part its own")
      #expect(try !MovedReplays.isCurrent(taken, in: state))
      #expect(try MovedReplays.take(by: "one", in: state, at: late).isEmpty)
    }
  }

  @Test func `a list of an earlier version is read`() async throws {
    try await Self.with { state in
      try Self.write(#"{"a":{"isDone":false},"b":{"adopter":"one","isDone":false},"c":{"isDone":true}}"#, state)
      let taken = try MovedReplays.take(by: "one", in: state)
      #expect(Self.names(taken) == ["a", "b"])
      for move in taken {
        #expect(try MovedReplays.isCurrent(move, in: state))
        try MovedReplays.finish(move, in: state)
      }
      #expect(try MovedReplays.take(by: "one", in: state).isEmpty)
    }
  }

  @Test func `of a collector of which nothing was heard for a day another one takes it over`() async throws {
    try await Self.with { state in
      let now = WallClock.now
      for name in ["one", "two"] { _ = try WriterList.take(name, in: state, at: now) }
      try MovedReplays.add("m", in: state)
      let first = try #require(try MovedReplays.take(by: "one", in: state, at: now).first)
      let soon = now + WriterList.patience
      #expect(try MovedReplays.take(by: "two", in: state, at: soon).isEmpty)
      #expect(Self.names(try MovedReplays.take(by: "two", in: state, at: soon + 1)) == ["m"])
      // There again, it neither goes on nor ends it.
      #expect(try !MovedReplays.isCurrent(first, in: state))
      try MovedReplays.finish(first, in: state)
      _ = try WriterList.take("two", in: state, at: soon + 1)
      #expect(try MovedReplays.take(by: "one", in: state, at: soon + 1).isEmpty)
      #expect(Self.names(try MovedReplays.take(by: "two", in: state, at: soon + 1)) == ["m"])
    }
  }
}
