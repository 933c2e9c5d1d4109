import AutoMobileState
import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `What is in memory of the state` {
  /// A number in the state, and what happens right after it was read.
  private final class Number: Sendable {
    let state: SQLiteState
    let meanwhile = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)
    let looks = NIOLockedValueBox(0)
    /// So many reads fail from now on.
    let failures = NIOLockedValueBox(0)

    init(_ state: SQLiteState) { self.state = state }

    @Sendable func load(_ state: borrowing StateReading) throws -> Int64 {
      struct Away: Error {}
      let isAway = failures.withLockedValue { failures in
        failures -= 1
        return failures >= 0
      }
      if isAway { throw Away() }
      let number: Int64 = try state.value("SELECT n FROM number") ?? 0
      looks.withLockedValue { $0 += 1 }
      let hook = meanwhile.withLockedValue { hook in
        defer { hook = nil }
        return hook
      }
      hook?()
      return number
    }

    func set(_ number: Int64, telling: Bool = false) throws {
      try state.writeNow {
        try $0.execute("UPDATE number SET n = ?1", number)
        if telling { try $0.tell(.settings) }
      }
    }

    func memory() throws -> StateMemory<Int64> {
      try StateMemory(of: [.settings], in: state, logger: RunningCollector.quiet, load: load)
    }
  }

  private static func with(_ body: (Number) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let pool = try DatabasePool(path: directory.url.appending(path: "state.sqlite").path)
    try await pool.write {
      try $0.execute(sql: "CREATE TABLE number(n INTEGER NOT NULL); INSERT INTO number VALUES (1)")
    }
    let state = SQLiteState(pool)
    try await body(Number(state))
    state.close()
    try pool.close()
  }

  @Test func `is what was there at the start, and follows what is told`() async throws {
    try await Self.with { number in
      let memory = try number.memory()
      #expect(memory.value == 1)
      let heard = NIOLockedValueBox<[[Int64]]>([])
      memory.onReload { old, new in heard.withLockedValue { $0.append([old, new]) } }
      try number.set(2)
      #expect(memory.value == 1)
      try number.set(3, telling: true)
      try await eventually("it was read again") { heard.withLockedValue { $0 } == [[1, 3]] }
      #expect(memory.value == 3)
    }
  }

  @Test func `is not replaced by what was read before it changed`() async throws {
    try await Self.with { number in
      let memory = try number.memory()
      number.meanwhile.withLockedValue {
        $0 = {
          try? number.set(5)
          memory.change { $0 = 5 }
        }
      }
      try memory.reloadNow()
      #expect(memory.value == 5 && number.looks.withLockedValue { $0 } == 3)
      number.meanwhile.withLockedValue { $0 = { memory.change { $0 = 7 } } }
      try await memory.reload()
      // What it is changed to alone does not outlive a look that nothing interrupts.
      #expect(memory.value == 5 && number.looks.withLockedValue { $0 } == 5)
    }
  }

  @Test func `has what was written when the write returns, also when something newer came`() async throws {
    try await Self.with { number in
      let memory = try number.memory()
      try await memory.write {
        try $0.execute("UPDATE number SET n = 8")
      } then: { value, _ in
        value = 8
      }
      #expect(memory.value == 8 && number.looks.withLockedValue { $0 } == 1)
      try await memory.write { state in
        try state.execute("UPDATE number SET n = 9")
        memory.change { $0 = 100 }
      } then: { value, _ in
        value = -1
      }
      // Nobody knows which of the two is newer: so it was read.
      #expect(memory.value == 9 && number.looks.withLockedValue { $0 } == 2)
      struct Stopped: Error {}
      await #expect(throws: Stopped.self) {
        try await memory.write { state in
          try state.execute("UPDATE number SET n = 10")
          throw Stopped()
        } then: { value, _ in
          value = 10
        }
      }
      #expect(memory.value == 9)
    }
  }

  @Test func `keeps what it alone knows`() async throws {
    try await Self.with { number in
      let memory = try StateMemory(
        of: [.settings], in: number.state, logger: RunningCollector.quiet, load: { [try number.load($0), 0] },
        merge: { [$1[0], $0[1]] })
      number.meanwhile.withLockedValue { $0 = { memory.note { $0[1] = 42 } } }
      try number.set(2)
      try memory.reloadNow()
      // A note does not have it read once more.
      #expect(memory.value == [2, 42] && number.looks.withLockedValue { $0 } == 2)
    }
  }

  @Test func `is read again until it can be, also when nothing more is told`() async throws {
    try await Self.with { number in
      let memory = try number.memory()
      number.failures.withLockedValue { $0 = 2 }
      try number.set(2, telling: true)
      try await eventually("it was read again") { memory.value == 2 }
      // What a write could not read again is in memory as it was written, and read later.
      number.failures.withLockedValue { $0 = 1 }
      try await memory.write { state in
        try state.execute("UPDATE number SET n = 9")
        memory.change { $0 = 100 }
      } then: { value, _ in
        value = -1
      }
      #expect(memory.value == -1 || memory.value == 9)
      try await eventually("it was read again") { memory.value == 9 }
    }
  }
}
