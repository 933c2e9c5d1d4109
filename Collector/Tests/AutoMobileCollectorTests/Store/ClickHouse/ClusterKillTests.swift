import AsyncHTTPClient
import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// `automobile serve --store` as a process, and its servers, killed while apps deliver.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Sudden death over ClickHouse` {
  private static let events = 10

  private static func batch(_ number: Int, of launch: LaunchID) -> RawBatch {
    var batch = RawBatch(launch: launch, from: UInt64(number) << 20)
    // Of ten sessions, so that there are some on each shard.
    batch.addContext(number % 10 + 1, session: "s-\(number % 10)")
    for event in 0..<events { batch.addLog("\(number) \(event)", context: number % 10 + 1) }
    return batch
  }

  /// Posts as an app does, each until it is acknowledged; returns how many were.
  private static func deliver(
    _ launch: LaunchID, to port: NIOLockedValueBox<Int>, until isOver: NIOLockedValueBox<Bool>,
    _ acknowledged: NIOLockedValueBox<Int>
  ) async throws {
    var number = 0
    while !isOver.withLockedValue({ $0 }) {
      let next = batch(number, of: launch)
      while await status(next, port.withLockedValue { $0 }) != 200 { try await Task.sleep(for: .milliseconds(5)) }
      number += 1
      acknowledged.withLockedValue { $0 = number }
    }
  }

  private static func status(_ batch: RawBatch, _ port: Int) async -> Int {
    guard let body = try? batch.body() else { return 0 }
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/sdk-events")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: BatchHeader.mediaType)
    request.body = .bytes(body)
    guard let answer = try? await RunningCollector.client.execute(request, timeout: .seconds(60)) else { return 0 }
    _ = try? await answer.body.collect(upTo: 1 << 20)
    return Int(answer.status.code)
  }

  @Test func `loses nothing that was acknowledged, and doubles nothing`() async throws {
    let pair = try await ClickHousePair()
    let directory = try TemporaryDirectory()
    let database = `Collectors with their telemetry in ClickHouse`.database()
    let hosts = pair.servers.map(\.http.description).joined(separator: ",")
    let arguments = ["--store", "clickhouse://\(ClickHouseServer.user)@\(hosts)/\(database)?cluster=pair"]
    func start() async throws -> CollectorProcess {
      try await CollectorProcess(
        directory: directory.url, arguments: arguments,
        environment: ["CLICKHOUSE_PASSWORD": ClickHouseServer.password])
    }
    let launch = LaunchID()
    let (port, isOver) = (NIOLockedValueBox(0), NIOLockedValueBox(false))
    let acknowledged = NIOLockedValueBox(0)
    func more(_ count: Int) async throws {
      let before = acknowledged.withLockedValue { $0 }
      try await eventually("deliveries are taken") { acknowledged.withLockedValue { $0 } >= before + count }
    }
    var process = try await start()
    port.withLockedValue { [process] in $0 = process.port }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await Self.deliver(launch, to: port, until: isOver, acknowledged) }
      for round in 0..<4 {
        try await more(10)
        // Without a shard it goes on taking, also when it is started anew.
        if round == 1 { pair.servers[1].kill() }
        try await more(10)
        await process.kill()
        process = try await start()
        port.withLockedValue { [process] in $0 = process.port }
        try await more(5)
        if round == 2 { try await pair.servers[1].start() }
      }
      isOver.withLockedValue { $0 = true }
      try await group.waitForAll()
    }
    let count = acknowledged.withLockedValue { $0 }
    try await process.wait(for: "/api/launches") {
      $0.launch(launch)["stored"].int == count * Self.events && $0.launch(launch)["quarantined"].int == 0
    }
    let cluster = try await ClickHouseCluster.open(pair.address(database))
    let rows = try await cluster.texts(TelemetryTables.events, ["position", "session", "id"])
    try await cluster.shutdown()
    #expect(rows.count == count * Self.events && Set(rows).count == rows.count)
    // An orderly end leaves nothing behind.
    #expect(await process.terminate() == 0)
    #expect(try LogDirectory(path: directory.url.path + "/ingest").segments().isEmpty)
  }
}
