import ClickHouseTestServer
import Foundation
import Logging
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// What is said when ClickHouse cannot answer, and that nothing goes on there for whom nobody waits.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct UnavailableTests {
  private struct State {
    let folder: URL
    let store: EventStore

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "unavailable-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      store = try EventStore(
        path: folder.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64, limits: CollectorLimits())
    }

    func scope(_ client: ClientPresence) throws -> ReadScope {
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let doorkeeper = Doorkeeper(
        keys: [], operatorKeys: [], projects: try ProjectStore(store.state, logger: logger),
        tokens: try UploadTokens(store.state, startedWith: []), isReachable: false)
      return try doorkeeper.readScope(of: .nobody, on: client)
    }

    func end() {
      try? store.close()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// Takes hours, unless it is ended. The number tells it from those of other tests.
  private func ask(_ telemetry: ClickHouseTelemetry, _ scope: ReadScope, _ number: Int64) async throws -> UInt64 {
    try await telemetry.read(scope, .heavy) { reading in
      let statement = reading.copies("1", of: TelemetryTables.events, []).inside { _ in
        "SELECT count() FROM numbers(100000000000000) WHERE number != \(number)"
      }
      return try await reading.rows(statement) { try $0.int(UInt64.self) }.first ?? 0
    }
  }

  /// Waits until the servers are at the question, or are not.
  private func wait(_ cluster: ClickHouseCluster, for number: Int64, running: Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(90)
    while true {
      var count: UInt64 = 0
      for host in cluster.client.hosts {
        count +=
          try await cluster.client.only([host]).rows(
            """
            SELECT count() FROM system.processes WHERE position(query, \(text: "number != CAST('\(number)'")) > 0 \
            AND position(query, 'system.processes') = 0
            """
          ) { try $0.int(UInt64.self) }.first ?? 0
      }
      if (count > 0) == running { return }
      try #require(ContinuousClock.now < deadline, "\(count) of them are running")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  @Test func `A question that takes too long ends on the servers, too`() async throws {
    let state = try State()
    defer { state.end() }
    try await ClickHousePair.shared.with { cluster in
      var limits = CollectorLimits()
      limits.readSeconds = 1
      let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
      let error = await #expect(throws: APIError.self) {
        try await ask(telemetry, state.scope(ClientPresence()), 4711)
      }
      #expect(error?.code == "too_expensive")
      #expect(error?.status == .serviceUnavailable)
      try await wait(cluster, for: 4711, running: false)
    }
  }

  @Test func `A question whose client goes ends on the servers, too`() async throws {
    let state = try State()
    defer { state.end() }
    try await ClickHousePair.shared.with { cluster in
      var limits = CollectorLimits()
      limits.readSeconds = 600
      let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
      let client = ClientPresence()
      let scope = try state.scope(client)
      let asked = Task { try await ask(telemetry, scope, 4712) }
      try await wait(cluster, for: 4712, running: true)
      client.leave()
      let error = await #expect(throws: APIError.self) { try await asked.value }
      #expect(error?.code == "client_gone")
      try await wait(cluster, for: 4712, running: false)
    }
  }

  @Test func `A shard that is away is named, whatever the operator has set, and nothing is left out in silence`()
    async throws
  {
    let state = try State()
    defer { state.end() }
    let pair = try await ClickHousePair(
      profile: """
        <skip_unavailable_shards>1</skip_unavailable_shards><result_overflow_mode>break</result_overflow_mode>
        <max_result_rows>100000</max_result_rows>
        """)
    let limits = CollectorLimits()
    try await pair.with { cluster in
      let telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
      let scope = try state.scope(ClientPresence())
      let sessions = ClickHouseSessions(telemetry: telemetry)
      #expect(try await sessions.list(scope, SessionFilter(), before: nil, limit: 10, now: 0).page.rows.isEmpty)
      let cut = await #expect(throws: ClickHouseError.self) {
        try await cluster.client.rows("SELECT number FROM system.numbers LIMIT 1000000") { try $0.int(UInt64.self) }
      }
      #expect(cut?.kind == .server(code: 396))
      pair.servers[1].kill()
      let error = await #expect(throws: APIError.self) {
        try await sessions.list(scope, SessionFilter(), before: nil, limit: 10, now: 0)
      }
      #expect(error?.code == "telemetry_unavailable")
      #expect(error?.status == .serviceUnavailable)
      #expect(error?.retryAfter == 5)
      #expect(error?.message.contains("shard 2 of 2") == true, "\(error?.message ?? "")")
      pair.servers[0].kill()
      let nobody = await #expect(throws: APIError.self) { try await sessions.exists(scope, "s") }
      #expect(nobody?.code == "telemetry_unavailable")
      #expect(nobody?.message.contains("no shard") == true, "\(nobody?.message ?? "")")
    }
  }
}
