import Foundation
import GRDB
import Testing

@testable import AutoMobileState

@Suite struct `The state in the index's file` {
  @Test func `is written in a transaction of the index, and told when that is kept`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let pool = try DatabasePool(path: directory.appending(path: "state.sqlite").path)
    try await pool.write { try $0.execute(sql: "CREATE TABLE event(id INTEGER); CREATE TABLE setting(value TEXT)") }
    let state = SQLiteState(pool)
    var news = state.news(of: [.erasures]).makeAsyncIterator()
    struct Stopped: Error {}
    for stops in [true, false] {
      try? await pool.write { database in
        try database.execute(sql: "INSERT INTO event(id) VALUES (1)")
        try state.within(database) { state in
          try state.execute("INSERT INTO setting(value) VALUES (?1)", "x")
          try state.tell(.erasures, "\(stops)")
        }
        if stops { throw Stopped() }
      }
    }
    #expect(await news.next() == StateNews(.erasures, "false"))
    let counts = try await state.read {
      try $0.row("SELECT (SELECT COUNT(*) FROM event), (SELECT COUNT(*) FROM setting)")
    }
    #expect(counts?.values == [.integer(1), .integer(1)])
    state.close()
    try pool.close()
  }

  @Test func `keeps nothing of a transaction of the index in which a statement failed, whatever is made of the error`()
    async throws
  {
    let pool = try DatabaseQueue()
    try await pool.write {
      try $0.execute(sql: "CREATE TABLE counter(name TEXT PRIMARY KEY, n INTEGER CHECK (n >= 0))")
    }
    await #expect(throws: StateError.self) {
      try await pool.write { database in
        try SQLiteState.within(database) { state in
          try Counters.set("a", 1, in: state)
          try? Counters.set("b", -1, in: state)
        }
      }
    }
    #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM counter") } == 0)
  }

  @Test func `rehearses a write when it is to, and keeps it once`() async throws {
    try await StateKind.rehearsed.with { state, _ in
      nonisolated(unsafe) var runs = 0
      try state.writeNow { state in
        runs += 1
        try state.execute("INSERT INTO counter(name, n) VALUES ('a', ?1)", runs)
      }
      let n: Int? = try await state.read { try $0.value("SELECT n FROM counter") }
      #expect(runs == 2 && n == 2)
    }
  }
}
