import AutoMobileClickHouse
import AutoMobilePostgres
import AutoMobileState
import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

private typealias Cluster = `Collectors with their telemetry in ClickHouse`

/// What becomes of the data directory, of the state and of threads when a collector over ClickHouse starts and stops.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Starts and stops over ClickHouse` {
  @Test func `do not start with shards that weigh otherwise than those that were filled`() async throws {
    let directory = try TemporaryDirectory()
    let share = try await Cluster.shared()
    try await RunningCollector.with(directory: directory.url, share) { _ in }
    var options = CollectorOptions(dataDirectory: directory.url)
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: options.fullTextSearch, maximumDepth: 64)
    let mark = try #require(try TelemetryMark.read(store.own))
    let known = String(decoding: try JSONEncoder().encode(mark.known), as: UTF8.self)
    let text = String(decoding: try JSONEncoder().encode(mark), as: UTF8.self)
    #expect(known.contains(#""weight":1"#))
    // As after a change in the servers' configuration.
    let other = text.replacingOccurrences(of: #""weight":1"#, with: #""weight":3"#)
    try store.own.writeNow {
      try StateSetting.write(TelemetryMark.name, other, by: "automobile", at: WallClock.now, in: $0)
    }
    try store.close()
    options.port = 0
    share(&options)
    let refusal = await Cluster.problem(options)?.description ?? ""
    #expect(refusal.contains("(weight 3)") && refusal.contains("has 1 (weight 1), 2 (weight 1) now"), "\(refusal)")
  }

  @Test(.enabled(if: SharedState.isThere))
  func `take no number while their first start fails, however often it is tried`() async throws {
    let ports = try await ClickHouseServer.freePorts(2)
    let place = try Cluster.place([.init("127.0.0.1", ports[0])], Cluster.database(), cluster: nil)
    try await SharedState.with { database in
      let directory = try TemporaryDirectory()
      var options = CollectorOptions(dataDirectory: directory.url)
      (options.store, options.storePassword) = (place, ClickHouseServer.password)
      try options.shareState(in: database)
      for _ in 0..<3 {
        #expect(await Cluster.problem(options)?.description.contains("no connection to ClickHouse") == true)
      }
      let state = try PostgresState(try SharedState.options(database))
      #expect(try WriterList.take("another", in: state, at: 1)?.number == 0)
      state.close()
    }
  }

  /// As many as Swift has threads: were it these that wait, nobody would be left to do what they wait for.
  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount <= 8))
  func `stop on threads of their own`() async throws {
    let ports = try await ClickHouseServer.freePorts(2)
    let server = try ClickHouseServer(http: ports[0], tcp: ports[1])
    try server.configure(clusters: "")
    try await server.start()
    let directory = try TemporaryDirectory()
    var running: [(collector: Collector, task: Task<Void, any Error>)] = []
    for number in 0..<ProcessInfo.processInfo.activeProcessorCount {
      var options = CollectorOptions(dataDirectory: directory.url.appending(path: "\(number)"))
      options.store = try Cluster.place([server.http], Cluster.database(), cluster: nil)
      options.storePassword = ClickHouseServer.password
      options.port = 0
      Cluster.hurry(&options)
      options.limits.indexSeconds = 1
      let collector = try await Collector.open(options, logger: RunningCollector.quiet)
      running.append((collector, Task { try await collector.run() }))
      _ = try await collector.port
    }
    server.kill()
    var batch = RawBatch()
    batch.addLog("which is waited for")
    let checked = try CheckedBatch(raw: try batch.body())
    for (collector, _) in running {
      try await collector.log.append(receivedAt: WallClock.now, owner: .app("dev.example.shop"), batch: checked)
    }
    let collectors = running.map(\.collector)
    let isOver = NIOLockedValueBox(false)
    startThread("wakes") {
      let end = ContinuousClock.now + .seconds(300)
      while !isOver.withLockedValue({ $0 }) {
        // They ask ClickHouse while they are told to end.
        for collector in collectors { collector.looker?.wake() }
        Thread.sleep(forTimeInterval: 0.01)
        // Nothing else would ever come to tell.
        if ContinuousClock.now > end { fatalError("collectors that stop hold all of Swift's threads") }
      }
    }
    for collector in collectors { collector.stop() }
    for (_, task) in running { try await task.value }
    isOver.withLockedValue { $0 = true }
    withExtendedLifetime(directory) {}
  }
}
