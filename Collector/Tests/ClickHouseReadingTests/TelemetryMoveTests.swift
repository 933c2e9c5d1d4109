import ClickHouseTestServer
import Foundation
import GRDB
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// From a data directory into two shards of ClickHouse.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct TelemetryMoveTests {
  private static func makeDirectory(_ name: String, _ deliveries: [Delivery]) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    _ = try DataDirectory(url)
    let store = try EventStore(
      path: url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: CollectorLimits().jsonDepth)
    try Twins.index(deliveries, in: store, CollectorLimits())
    try store.close()
    return url
  }

  /// With a state of its own, as PostgreSQL is: in a file beside it.
  private static func open(_ url: URL, _ database: String, events: Int = 7) async throws -> TelemetryMove {
    let state = try EventStore(
      path: url.appending(path: "state.sqlite").path, fullText: false, maximumDepth: 64
    ).state
    return try TelemetryMove(
      url, to: try await ClickHousePair.shared.address(database), state, MoveReader.Most(events: events, bytes: 1 << 20)
    )
  }

  @Test("A move that ends after each piece loses nothing and doubles nothing, and a changed row is found")
  func resumes() async throws {
    let database = "moved_story"
    let url = try Self.makeDirectory(database, StoryDeliveries.all + HealthDeliveries.all)
    defer { try? FileManager.default.removeItem(at: url) }
    let file = url.appending(path: MoveProgress.file)
    let first = try await Self.open(url, database)
    var noted: [Data] = []
    let all = try await first.move { _ in if let data = try? Data(contentsOf: file) { noted.append(data) } }
    #expect(all.done == all.all)
    #expect(noted.count > 3)
    first.close()
    // As killed before a piece's place was written: it is sent again.
    for data in noted.prefix(3) {
      try data.write(to: file)
      let again = try await Self.open(url, database)
      let done = try await again.move()
      #expect(done.done == all.all)
      again.close()
    }
    let move = try await Self.open(url, database)
    let checked = try await move.check()
    #expect(checked.same == all.all)
    #expect(checked.differences.map(\.description) == [])
    move.close()
    let cluster = try await Twins.cluster(database)
    let events = TelemetryTables.events
    let count = try await cluster.client.rows(
      "SELECT toInt64(uniqExact(project, launch, position)) FROM \(cluster.readable(events))", settings: []
    ) { try $0.int(Int64.self) }
    #expect(count == [Int64(all.all)])

    let queue = try DatabaseQueue(path: url.appending(path: "index.sqlite").path)
    try await queue.write { try $0.execute(sql: "UPDATE event SET payload = payload || ' ' WHERE id = 3") }
    try queue.close()
    let after = try await Self.open(url, database)
    let differences = try await after.check().differences.map(\.description)
    #expect(differences.count == 1)
    #expect(differences.first?.hasSuffix("is another one: payload") == true)
    after.close()
  }

  @Test("A directory in use is not moved")
  func isHeld() async throws {
    let url = try Self.makeDirectory("moved_held", [])
    defer { try? FileManager.default.removeItem(at: url) }
    let held = try DataDirectory(url)
    await #expect(throws: CollectorError.self) { _ = try await Self.open(url, "moved_held") }
    held.release()
  }
}
