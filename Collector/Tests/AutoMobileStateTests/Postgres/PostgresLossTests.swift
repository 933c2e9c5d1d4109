import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@Suite(.enabled(if: PostgresFixture.isThere)) struct `When PostgreSQL goes away` {
  @Test func `by SIGKILL in the middle, what is written is written once`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try await PostgresFixture.with(server) { _, open in
      let (state, other) = (try open(), try open())
      var news = other.news(of: [.settings]).makeAsyncIterator()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              // All at one row, and each at its own.
              try await (number % 2 == 0 ? state : other).write { state in
                try PostgresFixture.add("all", in: state)
                try PostgresFixture.add("\(number)", in: state)
              }
            }
          }
        }
        group.addTask {
          for enough in [20, 100] {
            try await PostgresFixture.eventually("so much was written") {
              try await other.read { try Counters.count("all", in: $0) ?? 0 } >= Int64(enough)
            }
            try server.kill()
            try server.start()
          }
        }
        try await group.waitForAll()
      }
      let counts = try await state.read { state in
        try ["all", "0", "1", "2", "3"].map { try Counters.count($0, in: state) }
      }
      #expect(counts == [200, 50, 50, 50, 50])
      // What may have been missed, and what comes now.
      #expect(await news.next() == .everything)
      try await PostgresFixture.eventually("it listens again") { (try? await other.check()) != nil }
      try await state.write { try $0.tell(.settings, "after") }
      while let piece = await news.next(), piece != StateNews(.settings, "after") { #expect(piece == .everything) }
      try await PostgresFixture.eventually("the other one listens again, too") { (try? await state.check()) != nil }
    }
  }

  @Test func `and stays away, that is said in time, and forgotten when it is back`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) {
      $0.patience = .seconds(1)
    } _: { _, open in
      let state = try open()
      try await state.write { try Counters.set("a", 1, in: $0) }
      relay.cut()
      for body in [
        { try await state.check() }, { _ = try await state.read { try $0.row("SELECT 1") } },
        { try await state.write { try PostgresFixture.add("a", in: $0) } },
        { _ = try await state.hold(StateWork("alerts")) },
      ] as [() async throws -> Void] {
        let error = await PostgresFixture.error { try await body() }
        #expect(error?.kind == .unavailable && error?.description.contains("does not answer") == true)
        #expect(error?.description.contains("s3cr3t") == false)
      }
      relay.mend()
      try await PostgresFixture.eventually("it is back") { (try? await state.check()) != nil }
      try await PostgresFixture.eventually("what was written is there") {
        (try? await state.read { try Counters.count("a", in: $0) }) == 1
      }
    }
  }

  @Test(arguments: [Relay.Accident.before(Array("COMMIT\0".utf8)), .after(Array("COMMIT\0".utf8))])
  func `while something is kept, it is kept once`(_ accident: Relay.Accident) async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) { _, open in
      let state = try open()
      for number in 1...3 {
        relay.prepare(accident)
        try await state.write { try PostgresFixture.add("a", in: $0) }
        #expect(relay.hasHappened)
        #expect(try await state.read { try Counters.count("a", in: $0) } == Int64(number))
      }
    }
  }

  @Test func `while something is kept, and stays away, it is told that nobody knows whether it was`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) {
      $0.patience = .seconds(1)
    } _: { _, open in
      let state = try open()
      let error = await PostgresFixture.error {
        try await state.write { state in
          try PostgresFixture.add("a", in: state)
          relay.cut()
        }
      }
      #expect(error?.kind == .unknown && error?.isPassing == false && error?.isOfValues == false)
      #expect(error?.description.contains("is not known") == true)
      relay.mend()
    }
  }

  @Test func `for single connections, nothing is lost of it`() async throws {
    try await PostgresFixture.with { options, open in
      let state = try open()
      let database = String(options.url.split(separator: "/").last ?? "")
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<25 { try await state.write { try PostgresFixture.add("a", in: $0) } }
            return false
          }
        }
        group.addTask {
          for _ in 0..<10 {
            try PostgresServer.shared.sql(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'")
          }
          return true
        }
        for try await _ in group {}
      }
      #expect(try await state.read { try Counters.count("a", in: $0) } == 100)
    }
  }

  @Test func `the news begin with everything again`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) { options, open in
      let state = try open()
      var news = state.news(of: [.projects]).makeAsyncIterator()
      var direct = options
      direct.url = try PostgresServer.shared.url(of: String(options.url.split(separator: "/").last ?? ""))
      let other = try PostgresState(direct, schema: PostgresFixture.tables)
      defer { other.close() }
      try await other.write { try $0.tell(.projects, "1") }
      #expect(await news.next() == StateNews(.projects, "1"))
      relay.cut()
      try await other.write { try $0.tell(.projects, "2") }
      relay.mend()
      #expect(await news.next() == .everything)
      try await other.write { try $0.tell(.projects, "3") }
      #expect(await news.next() == StateNews(.projects, "3"))
    }
  }

  @Test func `a work goes to another one, and who had it knows`() async throws {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) { options, open in
      let state = try open()
      var direct = options
      direct.url = try PostgresServer.shared.url(of: String(options.url.split(separator: "/").last ?? ""))
      let other = try PostgresState(direct, schema: PostgresFixture.tables)
      defer { other.close() }
      let work = StateWork("alerts")
      let first = try #require(try await state.hold(work))
      #expect(try await other.hold(work) == nil)
      relay.cut()
      var second: StateHold?
      try await PostgresFixture.eventually("another one has it") {
        second = try await other.hold(work)
        return second != nil
      }
      try await PostgresFixture.eventually("who had it knows") { !first.isHeld }
      relay.mend()
      try await PostgresFixture.eventually("it is back") { (try? await state.check()) != nil }
      // Not taken back, and not given up by who had it before.
      first.release()
      #expect(second?.isHeld == true)
      #expect(try await state.hold(work) == nil)
      second?.release()
      #expect(try await PostgresFixture.held(work, by: state)?.isHeld == true)
    }
  }

  @Test func `without a word, who holds a work counts it as lost before the server gives it to another one`()
    async throws
  {
    let relay = try Relay(to: try PostgresServer.shared.port)
    defer { relay.stop() }
    try await PostgresFixture.with(port: relay.port) { options, open in
      let state = try open()
      var direct = options
      direct.url = try PostgresServer.shared.url(of: String(options.url.split(separator: "/").last ?? ""))
      let other = try PostgresState(direct, schema: PostgresFixture.tables)
      defer { other.close() }
      let work = StateWork("alerts")
      let first = try #require(try await state.hold(work))
      relay.silence()
      var second: StateHold?
      var wereBoth = false
      try await PostgresFixture.eventually("another one has it") {
        second = try await other.hold(work)
        wereBoth = wereBoth || (second != nil && first.isHeld)
        return second != nil
      }
      #expect(!wereBoth && !first.isHeld)
    }
  }
}
