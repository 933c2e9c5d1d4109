import AutoMobileClickHouse
import AutoMobileState
import ClickHouseTestServer
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// A data directory with the story's deliveries, a database of two shards to move it to, and a state that collectors there share: in a
/// file, where that changes nothing.
struct MoveStage {
  let url: URL
  let database: String
  let shared: URL

  init(_ deliveries: [Delivery] = StoryDeliveries.all, database: String? = nil, shared: URL? = nil) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "moved-\(UUID().uuidString)")
    self.database = database ?? "moved_\(UUID().uuidString.prefix(8).lowercased())"
    _ = try DataDirectory(url)
    let limits = CollectorLimits()
    let store = try EventStore(
      path: url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: limits.jsonDepth)
    try Twins.index(deliveries, in: store, limits)
    try store.close()
    self.shared = shared ?? url.appending(path: "shared.sqlite")
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func openState() throws -> any StateStore {
    try EventStore(path: shared.path, fullText: false, maximumDepth: 64).state
  }

  func open(_ change: (inout ClickHouseAddress) -> Void = { _ in }) async throws -> TelemetryMove {
    var address = try await ClickHousePair.shared.address(database)
    change(&address)
    return try TelemetryMove(url, to: address, try openState(), MoveReader.Most(events: 7, bytes: 1 << 20))
  }

  @discardableResult
  func move(_ each: @escaping (TelemetryMove.Progress) -> Void = { _ in }) async throws -> TelemetryMove.Progress {
    let move = try await open()
    defer { move.close() }
    return try await move.move(onProgress: each)
  }

  func check() async throws -> TelemetryMove.Checked {
    let move = try await open()
    defer { move.close() }
    return try await move.check()
  }

  /// Changes the directory's index by hand.
  func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: url.appending(path: "index.sqlite").path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Has somebody be erased, as another collector does that, and tells the state.
  func mark(_ kind: ErasureMarks.Kind, _ name: String, of app: String = StoryDeliveries.shop, at: Int64) throws {
    let state = try openState()
    let key = [UInt8](repeating: 7, count: 32)
    let hash = ErasureMarks.hash(kind, name, owner: DataOwner.app(app).name, key)
    try state.writeNow { state in
      _ = try state.execute(
        "INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4)", hash, Data(key), at,
        WallClock.now + 86_400_000)
    }
  }

  func number(_ sql: (ReadableTables) -> AutoMobileClickHouse.SQL) async throws -> Int64 {
    let cluster = try await Twins.cluster(database)
    let found = try await cluster.client.rows(sql(cluster.tables), settings: []) { try $0.int(Int64.self) }
    return found.first ?? 0
  }

  func events(_ condition: AutoMobileClickHouse.SQL = "1") async throws -> Int64 {
    try await number {
      "SELECT toInt64(uniqExact(project, launch, position)) FROM \($0(TelemetryTables.events)) WHERE \(condition)"
    }
  }

  var progress: MoveProgress { get throws { try #require(try MoveProgress.read(url.path)) } }
}
