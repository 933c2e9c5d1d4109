import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@Suite(.enabled(if: PostgresFixture.isThere)) struct `Many who write to PostgreSQL` {
  @Test func `count exactly, eight at a time`() async throws {
    try await PostgresFixture.with { _, open in
      let states = try (0..<2).map { _ in try open() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            for _ in 0..<25 { try await states[number % 2].write { try PostgresFixture.add("a", in: $0) } }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await states[0].read { try Counters.count("a", in: $0) } == 200)
    }
  }

  @Test func `each take the next number, and nobody hears that it is taken`() async throws {
    try await PostgresFixture.with { _, open in
      let states = try (0..<2).map { _ in try open() }
      let taken = try await withThrowingTaskGroup(of: [Int64].self) { group in
        for number in 0..<8 {
          group.addTask {
            var taken: [Int64] = []
            for _ in 0..<10 {
              taken.append(
                try await states[number % 2].write { state in
                  let next: Int64 = (try state.value("SELECT COALESCE(MAX(id), 0) FROM kept") ?? 0) + 1
                  try state.execute("INSERT INTO kept(id) VALUES (?1)", next)
                  return next
                })
            }
            return taken
          }
        }
        return try await group.reduce(into: [Int64]()) { $0 += $1 }
      }
      #expect(taken.sorted() == Array(1...80))
      // One that really is taken is said to be.
      let kind = await Counters.kind {
        try await states[0].write { _ = try $0.execute("INSERT INTO kept(id) VALUES (7)") }
      }
      #expect(kind == .conflict(StateKey("kept", ["id"])))
    }
  }

  @Test func `get out of a deadlock`() async throws {
    try await PostgresFixture.with { _, open in
      let state = try open()
      try await state.write { state in
        for name in ["a", "b"] { try Counters.set(name, 0, in: state) }
      }
      let meeting = Meeting(of: 2)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for names in [["a", "b"], ["b", "a"]] {
          group.addTask {
            try await state.write { state in
              try state.execute("UPDATE counter SET n = n + 1 WHERE name = ?1", names[0])
              // The first time both have one row, and want the other one's.
              meeting.wait()
              try state.execute("UPDATE counter SET n = n + 1 WHERE name = ?1", names[1])
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(meeting.arrivals > 2)
      let counts = try await state.read { [try Counters.count("a", in: $0), try Counters.count("b", in: $0)] }
      #expect(counts == [2, 2])
    }
  }

  @Test func `are refused when others do not let go, and say so`() async throws {
    try await PostgresFixture.with {
      $0.patience = .seconds(3)
    } _: { options, open in
      let state = try open()
      let database = String(options.url.split(separator: "/").last ?? "")
      try await state.write { try Counters.set("a", 0, in: $0) }
      let blocker = Task.detached {
        try PostgresServer.shared.sql(
          "BEGIN; LOCK TABLE counter IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60)", in: database)
      }
      try await PostgresFixture.eventually("somebody has it locked") {
        try PostgresServer.shared.sql(
          "SELECT count(*) FROM pg_locks WHERE relation = 'counter'::regclass AND mode = 'AccessExclusiveLock' AND granted",
          in: database) == "1"
      }
      let error = await PostgresFixture.error { try await state.write { try PostgresFixture.add("a", in: $0) } }
      #expect(error?.kind == .busy)
      try PostgresServer.shared.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
        in: database)
      _ = await blocker.result
      try await state.write { try PostgresFixture.add("a", in: $0) }
      #expect(try await state.read { try Counters.count("a", in: $0) } == 1)
    }
  }
}

/// Threads that wait for each other, the first time.
private final class Meeting: @unchecked Sendable {
  // Unchecked: what changes is read and written with the lock held.
  private let lock = NSCondition()
  private let size: Int
  private var count = 0

  init(of size: Int) { self.size = size }

  var arrivals: Int { lock.withLock { count } }

  func wait() {
    lock.lock()
    count += 1
    lock.broadcast()
    while count < size { lock.wait() }
    lock.unlock()
  }
}
