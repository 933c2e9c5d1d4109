import AutoMobileClickHouse
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// What could go wrong where a directory is moved, and does not.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct `A data directory that is moved to ClickHouse` {
  private static let crashing: SQL = "session = 'crashing'"

  @Test func `brings back nobody who was erased there before`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try stage.mark(.session, "crashing", at: WallClock.now)
    let done = try await stage.move()
    #expect(done.erased > 5 && done.done == done.all)
    #expect(try await stage.events(Self.crashing) == 0)
    #expect(try await stage.events() == Int64(done.all - done.erased))
    let checked = try await stage.check()
    #expect(checked.differences.isEmpty && checked.erased == done.erased && checked.same == done.all - done.erased)
    #expect(
      try await stage.number {
        "SELECT toInt64(count()) FROM \($0(TelemetryTables.contexts)) WHERE session = 'crashing'"
      } == 0)
  }

  @Test func `brings back nobody who was erased while it was moved`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    var pieces = 0
    try await stage.move { _ in
      pieces += 1
      // Their first events are there already, and whoever erases them has looked.
      if pieces == 2 { #expect(throws: Never.self) { try stage.mark(.session, "crashing", at: WallClock.now) } }
    }
    #expect(pieces > 3)
    #expect(try await stage.events(Self.crashing) == 0)
    #expect(try await stage.check().differences.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: stage.url.appending(path: "moving.sqlite").path))
  }

  @Test func `tells the collectors there whom its own has erased`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    let hash = String(repeating: "ab", count: 32)
    try stage.change("INSERT INTO erasure_key VALUES (1, X'\(hash)')")
    try stage.change("INSERT INTO erasure_mark(hash, erasure, at, ends) VALUES (X'\(hash)', 1, 5, \(Int64.max))")
    try await stage.move()
    let marks = try stage.openState().readNow { try $0.rows("SELECT at FROM erased_name").map { try $0[0] as Int64 } }
    #expect(marks == [5])
  }

  @Test func `waits until an erasure of its own is done`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try stage.change(
      """
      INSERT INTO erasure(kind, subject, reason, requestedAt, requestedBy, step, marksEnd)
      VALUES ('user', 'aa', '', 1, 'ada', 'log', 2)
      """)
    let error = await #expect(throws: CollectorError.self) { _ = try await stage.open() }
    #expect(error?.description.contains("somebody is being erased in it") == true)
  }

  @Test func `is not taken for another database of the same name, or for one that was made anew`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    let all = try await stage.move()
    var progress = try stage.progress
    progress.hosts = ["127.0.0.1:1"]
    try progress.write(stage.url.path)
    let elsewhere = await #expect(throws: CollectorError.self) { try await stage.move() }
    #expect(elsewhere?.description.contains("remove its moved.json to move it there as well") == true)
    await #expect(throws: CollectorError.self) { _ = try await stage.check() }

    progress.hosts = try await ClickHousePair.shared.address(stage.database).hosts.map(\.description)
    try progress.write(stage.url.path)
    #expect(try await stage.move().done == all.done)
    let cluster = try await Twins.cluster(stage.database)
    for host in try await ClickHousePair.shared.address(stage.database).hosts {
      try await cluster.client.only([host]).run("TRUNCATE TABLE \(cluster.tables.local(TelemetryTables.events))")
    }
    let emptied = await #expect(throws: CollectorError.self) { try await stage.move() }
    #expect(emptied?.description.contains("nothing of what was moved is there") == true)
  }

  @Test func `writes under a number that nobody else ever has`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try await stage.move()
    let number = try stage.progress.number
    let state = try stage.openState()
    // All others come and go, for longer than a day.
    for day in 1...2 as ClosedRange<Int64> {
      for index in 0..<WriterList.most - 1 {
        let taken = try WriterList.take(
          "collector \(day) \(index)", in: state, at: WallClock.now + day * 2 * WriterList.patience)
        #expect(taken != nil && taken?.number != number)
      }
    }
    // Another directory of the same state has another one.
    let other = try MoveStage([StoryDeliveries.all[0]], database: stage.database, shared: stage.shared)
    defer { other.remove() }
    let error = await #expect(throws: CollectorError.self) { try await other.move() }
    #expect(error?.description.contains("numbers of those who write there are taken") == true)
  }

  @Test func `is refused where collectors write that the state does not know`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try await stage.move()
    let other = try MoveStage([StoryDeliveries.all[0]], database: stage.database)
    defer { other.remove() }
    let error = await #expect(throws: CollectorError.self) { try await other.move() }
    #expect(error?.description.contains("name the state with which the collectors are started") == true)
  }

  @Test func `is compared by the names of its events, whatever was deleted in it since`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    let all = try await stage.move()
    try stage.change("DELETE FROM event WHERE id = (SELECT MIN(id) FROM event)")
    let checked = try await stage.check()
    #expect(checked.differences.map(\.description) == [] && checked.same == all.all - 1)
  }

  @Test func `has what cannot be read in quarantine, and goes on`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try stage.change("UPDATE event SET payload = X'7b22' WHERE id = 2")
    let done = try await stage.move()
    #expect(done.unreadable == 1 && done.done == done.all)
    #expect(try await stage.events() == Int64(done.all - 1))
    let checked = try await stage.check()
    #expect(checked.differences.isEmpty && checked.unreadable == 1)
  }

  @Test func `brings contexts that nothing names yet`() async throws {
    var app = Delivery(StoryDeliveries.shop, launch: StoryDeliveries.launch(900))
    app.context(session: "goes on", user: "lin@example.com", tags: "{}")
    let stage = try MoveStage([StoryDeliveries.all[0], app])
    defer { stage.remove() }
    try await stage.move()
    let there = try await stage.number {
      "SELECT toInt64(count()) FROM \($0(TelemetryTables.contexts)) WHERE session = 'goes on'"
    }
    #expect(there == 1)
  }

  @Test func `numbers nothing as of a time that has not come`() async throws {
    var app = StoryDeliveries.all[0]
    app.received = WallClock.now + 400 * 86_400_000
    let stage = try MoveStage([app] + StoryDeliveries.all.dropFirst())
    defer { stage.remove() }
    try await stage.move()
    let last = try await stage.number { "SELECT max(id) FROM \($0(TelemetryTables.events))" }
    #expect(last <= FrameNumbers.first(at: WallClock.now + 60_000))
  }

  @Test func `leaves out what was opened from files`() async throws {
    let stage = try MoveStage()
    defer { stage.remove() }
    try stage.change("UPDATE owner SET name = 'file abc' WHERE name = 'app \(StoryDeliveries.other)'")
    let all = try await stage.move()
    #expect(try await stage.events() == Int64(all.all))
    #expect(try await stage.events("project LIKE 'file %'") == 0)
    #expect(try await stage.check().differences.isEmpty)
  }

  @Test func `has its launches in the order in which they came`() async throws {
    var all = StoryDeliveries.all
    for index in all.indices { all[index].received = StoryDeliveries.start + Int64(index) * 86_400 }
    let stage = try MoveStage(all)
    defer { stage.remove() }
    let store = try EventStore(reading: stage.url.appending(path: "index.sqlite").path)
    let wanted = try await store.pool.read { try String.fetchAll($0, sql: "SELECT given FROM launch ORDER BY id") }
    try store.close()
    try await stage.move()
    let cluster = try await Twins.cluster(stage.database)
    let found = try await cluster.client.rows(
      """
      SELECT launch FROM \(cluster.tables(TelemetryTables.launchParts)) GROUP BY project, launch \
      ORDER BY min(id), launch
      """, settings: []
    ) { try $0.string() }
    #expect(found.count == wanted.count && Set(found) == Set(wanted))
    #expect(found.first == wanted.first && found.last == wanted.last)
  }
}
