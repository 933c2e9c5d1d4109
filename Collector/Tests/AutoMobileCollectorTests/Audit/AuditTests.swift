import AutoMobileState
import Foundation
import GRDB
import Logging
import Testing

@testable import AutoMobileCollector

@Suite struct `The audit log` {
  private static func entries(_ collector: RunningCollector, _ query: String = "") async throws -> [JSONValue] {
    try await collector.get("/api/audit?limit=1000" + query, headers: Browser.operatorKey).json()["entries"].array
  }

  @Test func `who opens, takes away and changes what is written down, once`() async throws {
    try await Browser.with { collector, browser in
      var batch = RawBatch()
      batch.add(.event, "{\"eventType\":\"log\",\"timestamp\":1700000000000,\"message\":\"a\",\"sessionId\":\"s-1\"}")
      #expect(try await collector.post(raw: batch, headers: [("X-API-Key", "started-with-1")]).status == 200)
      try await browser.signIn(as: "admin", name: "Mira")
      while try await browser.send(.GET, "/api/sessions/s-1").status == 404 {
        try await Task.sleep(for: .milliseconds(5))
      }
      for _ in 0..<5 { #expect(try await browser.send(.GET, "/api/sessions/s-1").status == 200) }
      #expect(try await browser.send(.GET, "/api/sessions/s-1/file").status == 200)
      #expect(
        try await browser.send(.POST, "/api/projects", "{\"bundleId\":\"com.example.a\",\"name\":\"A\"}").status == 200)
      let mira = try await Self.entries(collector, "&who=Mira")
      func count(_ action: String, _ thing: String) -> Int {
        mira.count { $0["action"].string == action && $0["thing"].string == thing }
      }
      #expect(count("read", "s-1") == 1 && count("export", "s-1") == 1 && count("change", "com.example.a") == 1)
      #expect(mira.allSatisfy { $0["address"].string == "127.0.0.1" && $0["who"].string?.hasPrefix("Mira") == true })
      let read = try #require(mira.first { $0["action"].string == "read" })
      #expect(read["route"].string == "GET /api/sessions/{id}" && read["by"].string == "person link Mira")
      #expect(mira.contains { $0["action"].string == "sign-in" })
      // Lists are not, nor is what apps deliver; a list of one session's events is that session.
      for path in ["/api/sessions", "/api/events", "/api/events?session=s-1", "/api/network?session=s-1"] {
        #expect(try await browser.send(.GET, path).status == 200)
      }
      let all = try await Self.entries(collector)
      for route in ["GET /api/events", "GET /api/network"] {
        #expect(all.filter { $0["route"].string == route }.map { $0["thing"].string } == ["s-1"])
      }
      #expect(!all.contains { $0["route"].string == "GET /api/sessions" || $0["route"].string == "POST /sdk-events" })
    }
  }

  @Test func `refusals are written down, and whoever tries everything does not fill the log`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "viewer", name: "Lea")
      #expect(try await browser.send(.POST, "/api/keys", "{}").status == 403)
      for number in 0..<300 { _ = try await collector.get("/api/sessions/s-\(number)") }
      let refused = try await Self.entries(collector, "&action=refused")
      #expect(
        refused.contains {
          $0["who"].string == "Lea" && $0["route"].string == "POST /api/keys" && $0["status"].int == 403
        })
      #expect((100...121).contains(refused.count), "\(refused.count)")
    }
  }

  @Test func `only who decides reads it, in pages`() async throws {
    try await Browser.with { collector, browser in
      try await browser.signIn(as: "viewer", name: "Lea")
      #expect(try await browser.send(.GET, "/api/audit").status == 403)
      #expect(try await collector.get("/api/audit", headers: [("X-API-Key", "started-with-1")]).status == 401)
      var seen: [Int] = []
      var next: String? = ""
      while let cursor = next {
        let page = try await collector.get(
          "/api/audit?limit=1" + (cursor.isEmpty ? "" : "&before=\(cursor)"), headers: Browser.operatorKey
        ).json()
        seen += page["entries"].array.compactMap { $0["id"].int }
        next = page["next"].string
        if seen.count > 20 { break }
      }
      #expect(seen.count >= 3 && seen == seen.sorted(by: >) && Set(seen).count == seen.count)
      #expect(try await collector.get("/api/audit?action=x", headers: Browser.operatorKey).status == 400)
      // What stands in a name is no pattern.
      #expect(try await Self.entries(collector, "&who=%25").isEmpty)
    }
  }

  @Test func `it survives a stop, nothing changes an entry, and old ones go`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let made = try await collector.send(
        .POST, "/api/projects", headers: [("Content-Type", "application/json")],
        body: .init(string: "{\"bundleId\":\"com.example.a\",\"name\":\"A\"}"))
      #expect(made.status == 200)
    }
    let pool = try DatabasePool(path: directory.url.appending(path: "index.sqlite").path)
    let state = SQLiteState(pool)
    let kept = try await state.read { try AuditTables.page(.init(), in: $0) }
    #expect(kept.map(\.thing) == ["com.example.a"])
    await #expect(throws: DatabaseError.self) {
      try await pool.write { try $0.execute(sql: "UPDATE audit SET who = 'somebody else'") }
    }
    var entry = kept[0]
    entry.at = 1_000
    try await state.write { [entry] in try AuditTables.insert([entry, entry], as: "two", at: 0, in: $0) }
    try await state.write { try AuditTables.purge(before: 2_000, beyond: 100, at: 0, in: $0) }
    #expect(try await state.read { try AuditTables.page(.init(), in: $0) } == kept)
    try await state.write { [kept] in
      try AuditTables.insert(Array(repeating: kept[0], count: 9), as: "nine", at: 0, in: $0)
    }
    try await state.write { try AuditTables.purge(before: 0, beyond: 4, at: 0, in: $0) }
    #expect(try await state.read { try AuditTables.page(.init(), in: $0) }.count == 4)
  }

  @Test func `finds entries by parts of names, and keeps names that strangers made up`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let names = ["Ada", "b%b", "c_c", "d\\d", "nul\0l"]
    try await store.state.write { state in
      try AuditTables.insert(
        names.enumerated().map { number, name in
          AuditEntry(
            at: Int64(number), who: name, by: "key \(number)", address: nil, action: .change,
            route: "PUT /api/\(number)",
            thing: number == 0 ? nil : "thing \(name)", status: 200)
        }, as: "names", at: 0, in: state)
    }
    func found(_ change: (inout AuditTables.Filter) -> Void) async throws -> [Int64] {
      var filter = AuditTables.Filter()
      change(&filter)
      return try await store.state.read { [filter] in try AuditTables.page(filter, in: $0) }.map(\.at)
    }
    #expect(try await found { _ in } == [4, 3, 2, 1, 0])
    #expect(try await found { $0.who = "aDA" } == [0])
    #expect(try await found { $0.who = "%" } == [1])
    #expect(try await found { $0.what = "C_C" } == [2])
    #expect(try await found { $0.what = "/API/" } == [4, 3, 2, 1, 0])
    #expect(try await found { $0.who = "\\" } == [3])
    #expect(try await found { $0.who = "nul\0" } == [4])
    #expect(
      try await found { ($0.who, $0.what, $0.action, $0.from, $0.to) = ("key", "thing", .change, 2, 4) } == [3, 2])
    #expect(try await found { ($0.before, $0.limit) = (4, 2) } == [2, 1])
    try store.close()
  }

  @Test func `a stop waits once for a database that does not answer, whatever waits`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let state = BreakingState(store.state)
    let log = AuditLog(state, keeping: .init(), logger: RunningCollector.quiet)
    let entry = AuditEntry(
      at: WallClock.now, who: "ada", by: "key 1", action: .change, route: "PUT /api/a", status: 200)
    state.isAway = true
    log.note(entry)
    // Returns when it was tried: the entry is in a batch then that has a name, and the next one waits behind it.
    await #expect(throws: StateError.self) { try await log.page(.init()) }
    log.note(entry)
    state.breaks(.before(1))
    log.close()
    #expect(!state.hasBroken, "it was asked twice")
    try store.close()
  }

  @Test func `whoever reads it sees what was noted before, though somebody else is just writing that`() async throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(path: directory.url.appending(path: "index").path, fullText: false, maximumDepth: 64)
    let log = AuditLog(store.state, keeping: .init(), logger: Logger(label: "test"))
    let entry = AuditEntry(
      at: WallClock.now, who: "ada", by: "key 1", action: .change, route: "PUT /api/a", status: 200)
    for number in 1...300 {
      log.note(entry)
      // The one who was asked to write has begun, or not.
      if number % 2 == 0 { await Task.yield() }
      #expect(try await log.page(.init(limit: 1000)).count == number)
    }
    log.close()
    try store.close()
  }
}
