import AutoMobileState
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Boards over one state, without collectors around them: what is bounded, what becomes old, and a state that goes away.
@Suite struct `Boards of commands over one state` {
  private static func withEach(_ body: (any StateStore) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    defer { try? store.close() }
    try await SharedState.withEach(store, body)
  }

  private static func listener(_ launch: String, of app: String = "a") -> CommandExchange.Listener {
    .init(address: .init(owner: .app(app), launch: launch), bundle: app, names: ["ping"], lastSeen: 0)
  }

  private static func command(_ id: String, timeout: Double = 60) -> CommandExchange.Command {
    .init(id: id, name: "ping", arguments: "{}", timeout: timeout)
  }

  private static func count(_ table: StateSQL, _ state: any StateStore) async throws -> Int {
    try await state.read { try $0.value("SELECT COUNT(*) FROM \(table)") ?? -1 }
  }

  @Test func `bound what waits, of one app and of all`() async throws {
    try await Self.withEach { state async throws in
      let (one, other) = (SharedCommands(state), SharedCommands(state))
      // As many as wait in all, and one more.
      let apps = (0...CommandExchange.maximumCommands / CommandExchange.maximumPerLaunch).map { Self.listener("\($0)") }
      for app in apps { #expect(await one.question(one.nextQuestion(), of: app, wait: 0).isEmpty) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        func ask(_ app: Int, _ count: Int) {
          for n in 0..<count {
            let board = n % 2 == 0 ? one : other
            group.addTask {
              let answer = try await board.ask(Self.command("\(app)-\(n)"), of: apps[app].address)
              if case .busy = answer { return true } else { return false }
            }
          }
        }
        ask(0, CommandExchange.maximumPerLaunch + 3)
        for _ in 0..<3 { #expect(try await group.next() == true) }
        for app in 1..<apps.count - 1 { ask(app, CommandExchange.maximumPerLaunch) }
        try await eventually("all wait") { try await Self.count("command", state) == CommandExchange.maximumCommands }
        ask(apps.count - 1, 2)
        for _ in 0..<2 { #expect(try await group.next() == true) }
        one.finish()
        other.finish()
        while let isBusy = try await group.next() { #expect(!isBusy) }
      }
      try await eventually("nothing is left") { try await Self.count("command", state) == 0 }
    }
  }

  @Test func `hold a bounded number of questions, of one app and of all`() async throws {
    try await Self.withEach { state async throws in
      let board = SharedCommands(state, grace: 600_000)
      for n in 0..<CommandExchange.maximumListenersOfApp + 3 {
        _ = await board.question(board.nextQuestion(), of: Self.listener("\(n)"), wait: 0)
      }
      #expect(try await board.presence().listeners.count == CommandExchange.maximumListenersOfApp)
      // The others have room, and whoever has a place keeps it.
      for launch in ["0", "1"] {
        _ = await board.question(board.nextQuestion(), of: Self.listener(launch, of: "b"), wait: 0)
      }
      _ = await board.question(board.nextQuestion(), of: Self.listener("0"), wait: 0)
      #expect(try await board.presence().listeners.count == CommandExchange.maximumListenersOfApp + 2)
      #expect(try await board.presence().listeners.first?.launch == "0")
      board.finish()
    }
  }

  @Test func `forget who has left long ago, and what a killed collector left`() async throws {
    try await Self.withEach { state async throws in
      let now = try await state.read { try $0.clock() }
      let most = CommandExchange.maximumLeft
      let isOld = try await state.write { state in
        for n in 0..<most + 20 {
          try CommandRows.listen(Self.listener("left-\(n)"), question: "q", for: 0, in: state)
          try state.execute(
            "UPDATE command_listener SET endsAt = ?1 WHERE launch = ?2", now - 1000 + Int64(n), "left-\(n)")
        }
        try CommandRows.listen(Self.listener("here"), question: "q", for: 600_000, in: state)
        let address = Self.listener("here").address
        _ = try CommandRows.give(Self.command("over"), to: address, for: 600_000, in: state)
        try state.execute("UPDATE command SET endsAt = ?1, answer = ?2", now - 1, [UInt8]("{}".utf8))
        return try CommandRows.hasOld(in: state.reading)
      }
      #expect(isOld)
      let board = SharedCommands(state, tidying: .milliseconds(20))
      try await eventually("what is over is removed") { try await Self.count("command", state) == 0 }
      try await eventually("the latest are left") { try await Self.count("command_listener", state) == most + 1 }
      let presence = try await board.presence()
      #expect(presence.listeners.map(\.launch) == ["here"])
      #expect(presence.left.map(\.launch) == (20..<most + 20).map { "left-\($0)" })
      #expect(try await state.read { try CommandRows.hasOld(in: $0) } == false)
      // And of those nobody after a day.
      _ = try await state.write { state in
        try state.execute(
          "UPDATE command_listener SET endsAt = ?1 WHERE launch = 'left-30'", now - CommandRows.longestLeft - 1000)
      }
      try await eventually("a day is over") { try await Self.count("command_listener", state) == most }
      board.finish()
    }
  }

  @Test func `take an answer from whom the command was for, once, and in its time`() async throws {
    try await Self.withEach { state async throws in
      let address = Self.listener("l").address
      func give(_ id: String) async throws -> CommandRows.Outcome {
        try await state.write { try CommandRows.give(Self.command(id), to: address, for: 600_000, in: $0) }
      }
      func take(_ question: String) async throws -> [String] {
        try await state.write { try CommandRows.take(for: address, question: question, grace: 1000, in: $0).map(\.id) }
      }
      func answer(_ id: String, _ launch: String, _ owner: DataOwner?) async throws -> Bool {
        try await state.write { try CommandRows.answer(id, launch: launch, owner: owner, [1, 0, 255], in: $0) }
      }
      func fetch(_ id: String) async throws -> [UInt8]? {
        try await state.write { try CommandRows.fetch(id, in: $0) }
      }
      #expect(try await give("0") == .gone)
      try await state.write { try CommandRows.listen(Self.listener("l"), question: "q", for: 600_000, in: $0) }
      for id in ["1", "2"] { #expect(try await give(id) == .given) }
      // Neither for an earlier question, nor twice.
      #expect(try await take("p") == [])
      #expect(try await take("q") == ["1", "2"])
      // Its question has been answered: it is there for as long as one that works.
      let left: Int64? = try await state.read { state in
        let end: Int64? = try state.value("SELECT endsAt FROM command_listener WHERE question IS NULL")
        return try end.map { $0 - (try state.clock()) }
      }
      #expect(try #require(left) <= 1000)
      #expect(try await take("q") == [])
      try await state.write { try CommandRows.listen(Self.listener("l"), question: "r", for: 600_000, in: $0) }
      #expect(try await take("r") == [])
      // Nor for another app that calls its launch the same.
      #expect(try await give("3") == .given)
      let other = Self.listener("l", of: "b")
      let foreign = try await state.write { state in
        try CommandRows.listen(other, question: "r", for: 600_000, in: state)
        return try CommandRows.take(for: other.address, question: "r", grace: 1000, in: state).count
      }
      #expect(foreign == 0)
      #expect(try await take("r") == ["3"])
      #expect(try await answer("1", "m", .app("a")) == false)
      #expect(try await answer("1", "l", .app("b")) == false)
      #expect(try await answer("4", "l", .app("a")) == false)
      #expect(try await fetch("1") == nil)
      #expect(try await answer("1", "l", .app("a")))
      #expect(try await answer("1", "l", .app("a")) == false)
      #expect(try await fetch("1") == [1, 0, 255])
      #expect(try await fetch("1") == nil)
      _ = try await state.write { try $0.execute("UPDATE command SET endsAt = ?1", try $0.reading.clock() - 1) }
      #expect(try await answer("2", "l", nil) == false)
      for id in ["2", "3"] { #expect(try await state.write { try CommandRows.giveUp(id, in: $0) } == nil) }
      #expect(try await Self.count("command", state) == 0)
    }
  }

  @Test func `hold questions while the state is away, and go on when it answers again`() async throws {
    try await Self.withEach { truth async throws in
      let state = BreakingState(truth)
      let board = SharedCommands(state)
      state.isAway = true
      let id = board.nextQuestion()
      async let asked = board.question(id, of: Self.listener("l\0"), wait: 600)
      try await eventually("it is held") { board.contents.withLockedValue { !$0.questions.isEmpty } }
      await #expect(throws: StateError.self) { _ = try await board.presence() }
      await #expect(throws: StateError.self) {
        _ = try await board.ask(Self.command("1"), of: Self.listener("l").address)
      }
      await #expect(throws: StateError.self) {
        _ = try await board.answer("1", launch: "l", owner: nil, ByteBuffer(string: "{}"))
      }
      state.isAway = false
      try await eventually("it is listed") { try await board.presence().listeners.count == 1 }
      let address = try #require(try await board.presence().listeners.first?.address)
      async let given = board.ask(Self.command("2"), of: address)
      #expect(await asked.map(\.id) == ["2"])
      #expect(try await board.answer("2", launch: "l\0", owner: .app("a"), ByteBuffer(string: "{}")))
      guard case .body = try await given else {
        Issue.record("the answer did not come")
        return
      }
      board.finish()
    }
  }

  @Test func `hear of each question that there is news, and of its end`() async throws {
    try await Self.withEach { state async throws in
      let board = SharedCommands(state)
      async let asked = board.question(board.nextQuestion(), of: Self.listener("news"), wait: 600) { true }
      #expect(await asked.isEmpty)
      #expect(try await board.presence().listeners.map(\.launch) == ["news"])
      let id = board.nextQuestion()
      async let left = board.question(id, of: Self.listener("leaves"), wait: 600)
      try await eventually("it is listed") { try await board.presence().listeners.count == 2 }
      board.wake()
      board.leave(id + 1, of: Self.listener("leaves").address)
      #expect(try await board.presence().listeners.count == 2)
      board.leave(id, of: Self.listener("leaves").address)
      #expect(await left.isEmpty)
      try await eventually("it has left") { try await board.presence().left.map(\.launch) == ["leaves"] }
      async let last = board.question(board.nextQuestion(), of: Self.listener("last"), wait: 600)
      try await eventually("it is listed") { try await board.presence().listeners.count == 2 }
      board.finish()
      #expect(await last.isEmpty)
      guard case .stopping = try await board.ask(Self.command("9"), of: Self.listener("last").address) else {
        Issue.record("a board that has ended takes no commands")
        return
      }
    }
  }
}
