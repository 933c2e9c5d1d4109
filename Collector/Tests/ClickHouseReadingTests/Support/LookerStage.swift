import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Everything at hand to look at reports; its looker ends where it is told to.
final class LookerStage {
  struct Ended: Error {}
  enum End: Sendable { case nowhere, beforeRows, withinRows, behindRows, erasing(String) }

  let store: EventStore
  let telemetry: ClickHouseTelemetry
  let issues: ClickHouseIssues
  let cluster: ClickHouseCluster
  let end = NIOLockedValueBox(End.nowhere)
  /// Names of sessions.
  let erased = NIOLockedValueBox<Set<String>>([])
  /// So often rows were put there: one that never ends is ended.
  let inserts = NIOLockedValueBox(0)
  let symbolizer: Symbolizer
  let inserter: ClickHouseInserter
  private let folder: URL
  private var deliveries = 0

  init(_ database: String) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "looker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try EventStore(
      path: folder.appending(path: "state.sqlite").path, fullText: false, maximumDepth: CollectorLimits().jsonDepth)
    cluster = try await Twins.cluster(database)
    inserter = ClickHouseInserter(cluster, limits: .asBrought)
    telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(CollectorLimits()), limits: CollectorLimits())
    issues = ClickHouseIssues(telemetry: telemetry, state: store.beside)
    symbolizer = Symbolizer(
      store: try SymbolStore(directory: folder), tools: SymbolTools.found(), logger: IssueTwins.logger)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func deliver(_ delivery: Delivery, again: Int64 = 0) async throws {
    var delivery = delivery
    delivery.received += again
    for rows in try Twins.rows([delivery], cluster.map, cluster.dialect, from: deliveries, CollectorLimits()) {
      try await inserter.insert(rows)
    }
    deliveries += 1
  }

  func looker(_ symbolizer: Symbolizer? = nil, wholeEvery: Double = 0, page: Int = 2000) -> IssueLooker {
    IssueLooker(
      telemetry: telemetry, map: cluster.map, state: store.beside, symbolizer: symbolizer ?? self.symbolizer,
      logger: IssueTwins.logger, interval: 0.1, wholeEvery: wholeEvery, retryDelay: 0.05, page: page,
      isErased: { [erased] session, _ in erased.withLockedValue { $0.contains(session) } }
    ) { [inserter, inserts, end, erased, map = cluster.map] rows in
      let number = inserts.withLockedValue { inserts in
        inserts += 1
        return inserts
      }
      guard number < 100 else { throw Ended() }
      switch end.withLockedValue({ $0 }) {
      case .nowhere: try await inserter.insert(rows)
      case .beforeRows: throw Ended()
      case .withinRows:
        try await inserter.insert(rows, besides: [map.shards[1].number])
        throw Ended()
      case .behindRows:
        try await inserter.insert(rows)
        throw Ended()
      case .erasing(let session):
        // Nobody takes them, and when somebody does, one of them has been erased.
        end.withLockedValue { $0 = .nowhere }
        erased.withLockedValue { _ = $0.insert(session) }
        throw InsertFailure(parts: [], confirmed: [])
      }
    }
  }

  /// As a process that has just begun does.
  func look(_ symbolizer: Symbolizer? = nil, page: Int = 2000) async throws {
    let looker = looker(symbolizer, page: page)
    try await offLoop {
      // The next one is to have the turn.
      defer { looker.stop() }
      try looker.lookAtAll()
    }
  }

  func list() async throws -> [IssueRow] {
    try await issues.list(
      try store.everything(), IssueQuery.Filter(), before: nil, limit: 50, now: IssueDeliveries.now
    ).rows
  }

  func changes(_ issue: String) async throws -> [String] {
    try await store.state.read { try IssueChange.list(issue, in: $0).map(\.what) }
  }

  func states() -> IssueStates { IssueStates(store: store, issues: issues) }

  /// Rows of reports as they lie there: how often each was written by a look.
  func written() async throws -> Int {
    Int(
      try await cluster.client.rows(
        "SELECT count() FROM \(cluster.readable(TelemetryTables.reports)) WHERE revision > 0"
      ) {
        try $0.int(UInt64.self)
      }.first ?? 0)
  }
}
