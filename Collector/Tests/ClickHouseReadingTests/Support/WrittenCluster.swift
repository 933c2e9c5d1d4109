import AutoMobileJournal
import ClickHouseTestServer
import Foundation

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Two shards into which collectors put what came when a test says, and a state in which they say so.
struct WrittenCluster {
  let cluster: ClickHouseCluster
  let store: EventStore
  let telemetry: ClickHouseTelemetry

  /// - Parameters:
  ///   - writer: the collector's.
  ///   - time: when it came, in milliseconds since 1970.
  ///   - received: what the clock said then; nil: the same.
  /// - Returns: the number up to which that is.
  @discardableResult
  func put(_ delivery: Delivery, by writer: Int64, at time: Int64, received: Int64? = nil) async throws -> Int64 {
    let number = FrameNumbers.first(at: time) + writer
    var rows = TelemetryRows(cluster.map, cluster.dialect, limits: CollectorLimits())
    let owner = DataOwner.app(delivery.bundle)
    try delivery.bytes.withUnsafeBytes { _ = rows.add($0, of: owner, receivedAt: received ?? time, number: number) }
    rows.finish()
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    for table in rows.all { try await inserter.insert(table) }
    return rows.numbers?.greatest ?? number
  }

  func say(_ number: Int64, by writer: Int64) async throws {
    try await store.state.write { _ = try ArrivalRows.publish(upTo: number, by: writer, at: 1, in: $0) }
  }

  /// Has copies be one wherever they can be.
  func merge() async throws {
    for shard in cluster.map.shards {
      try await cluster.client.only(shard.hosts).run(
        "OPTIMIZE TABLE \(cluster.tables.local(TelemetryTables.events)) FINAL")
    }
  }

  static func with(_ body: (WrittenCluster) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let limits = CollectorLimits()
    let store = try EventStore(
      path: folder.appending(path: "index.sqlite").path, fullText: false, maximumDepth: limits.jsonDepth)
    try await ClickHousePair.shared.with { cluster in
      let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
      try await body(WrittenCluster(cluster: cluster, store: store, telemetry: telemetry))
    }
    try store.close()
  }
}
