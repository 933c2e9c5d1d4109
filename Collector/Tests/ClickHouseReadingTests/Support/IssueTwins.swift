import AutoMobileState
import ClickHouseTestServer
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// The same deliveries, one after the other, in SQLite's index and in ClickHouse, with a state of each one's own, about which the same is
/// decided.
final class IssueTwins {
  struct Twin {
    var name: String
    /// Has the state, and no reports.
    var store: EventStore
    var telemetry: ClickHouseTelemetry
    var issues: ClickHouseIssues
    var looker: IssueLooker
    /// Puts a delivery there, of a number.
    var deliver: (Delivery, Int) async throws -> Void
    var events: () async throws -> [Int64: String]
  }

  /// Where somebody decides about issues.
  struct Deciding {
    var issues: any IssueReading & IssueDirectory
    var states: IssueStates
    var notes: IssueNotes
    var merges: IssueMerges
  }

  let index: EventStore
  let symbolizer: Symbolizer
  private(set) var twins: [Twin] = []
  private let folder: URL
  private let limits = CollectorLimits()
  private var deliveries = 0
  /// By their numbers, in the index and in each of the others; none when what is stored may have changed since they were read.
  private var known: [[Int64: String]] = []
  static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// - Parameter database: nobody else's.
  init(_ database: String) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "issues-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: "symbols"), withIntermediateDirectories: true)
    index = try Self.store(folder, "index")
    symbolizer = Symbolizer(
      store: try SymbolStore(directory: folder), tools: SymbolTools.found(), logger: Self.logger)
    let cluster = try await Twins.cluster(database)
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    try add("two shards", cluster.client, cluster.tables, cluster.map) { try await inserter.insert($0) }
    guard Chdb.isInstalled else { return }
    let chdb = try AskedChdb()
    try chdb.prepare()
    try add(
      "a current release", chdb, chdb.tables, try ShardMap([.init(number: 1, weight: 1, hosts: [])])
    ) { try chdb.insert($0) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func store(_ folder: URL, _ name: String) throws -> EventStore {
    try EventStore(
      path: folder.appending(path: "\(name).sqlite").path, fullText: true, maximumDepth: CollectorLimits().jsonDepth)
  }

  private func add(
    _ name: String, _ asking: any ClickHouseAsking, _ tables: ReadableTables, _ map: ShardMap,
    insert: @escaping IssueLooker.Insert
  ) throws {
    let telemetry = ClickHouseTelemetry(asking, tables, gate: ReadGate(limits), limits: limits)
    let store = try Self.store(folder, name)
    twins.append(
      Twin(
        name: name, store: store, telemetry: telemetry,
        issues: ClickHouseIssues(telemetry: telemetry, state: store.beside),
        looker: IssueLooker(
          telemetry: telemetry, map: map, state: store.beside, symbolizer: symbolizer, logger: Self.logger,
          wholeEvery: 0,
          insert: insert),
        deliver: { [limits] delivery, number in
          for rows in try Twins.rows([delivery], map, tables.dialect, from: number, limits) { try await insert(rows) }
        }, events: { try await Twins.events(asking, tables) }))
  }

  // MARK: What happens

  /// To ClickHouse they come twice, some on another day.
  func deliver(_ deliveries: [Delivery]) async throws {
    known = []
    try Twins.index(deliveries, in: index, limits)
    for delivery in deliveries + Twins.again(deliveries) {
      for twin in twins { try await twin.deliver(delivery, self.deliveries) }
      self.deliveries += 1
    }
    try await look()
  }

  /// All reports are looked at, as often as there is something to see.
  func look() async throws {
    known = []
    let refiner = IssueRefiner(store: index, symbolizer: symbolizer, logger: Self.logger)
    refiner.wake()
    let builds = [""] + symbolizer.store.all.map(\.id)
    let end = ContinuousClock.now + .seconds(120)
    while try await index.pool.read({ database in
      try builds.contains { build in
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM report_image WHERE build = ?)", arguments: [build]) == true
      }
    }) {
      try #require(ContinuousClock.now < end, "reports are not looked at")
      try await Task.sleep(for: .milliseconds(5))
    }
    try await offLoop { refiner.stop() }
    for twin in twins { try await offLoop { [looker = twin.looker] in try looker.lookAtAll() } }
  }

  func decide(_ body: (Deciding) async throws -> Void) async throws {
    let own = SQLiteIssues(store: index)
    try await body(
      Deciding(
        issues: own, states: IssueStates(store: index), notes: IssueNotes(store: index),
        merges: IssueMerges(store: index)))
    for twin in twins {
      try await body(
        Deciding(
          issues: twin.issues, states: IssueStates(store: twin.store, issues: twin.issues),
          notes: IssueNotes(store: twin.store, issues: twin.issues),
          merges: IssueMerges(store: twin.store, elsewhere: twin.issues)))
    }
  }

  // MARK: Comparing

  /// Asks the index and each of the others, in a form in which no numbers of events are.
  func compare<Asked>(
    _ what: String, _ ask: (any IssueReading & IssueDirectory) async throws -> Asked,
    as form: (Asked, _ events: [Int64: String]) throws -> String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    if known.isEmpty {
      var events = [try await Twins.events(of: index)]
      for twin in twins { events.append(try await twin.events()) }
      known = events
    }
    let wanted = try form(await ask(SQLiteIssues(store: index)), known[0])
    for (twin, events) in zip(twins, known.dropFirst()) {
      let found = try form(await ask(twin.issues), events)
      // Not compared as texts, which would be shown whole.
      let isSame = found == wanted
      #expect(
        isSame, "\(what) in \(twin.name): \(Twins.difference(found, wanted))", sourceLocation: location)
    }
  }
}

extension IssueRow {
  func described(_ events: [Int64: String]) -> String {
    var row = self
    row.sample = nil
    row.match = nil
    var json = JSONOutput()
    json.object { row.writeMembers(to: &$0) }
    let found = match.map { "\($0.field) of \(events[$0.event] ?? "?")" } ?? "in the row"
    return "\(sample.flatMap { events[$0] } ?? "?") \(found) \(String(buffer: json.buffer))"
  }
}

extension IssueReportRow {
  func described(_ events: [Int64: String]) -> String {
    var row = self
    row.event = 0
    var json = JSONOutput()
    json.object { row.writeMembers(to: &$0) }
    return "\(events[event] ?? "?") \(String(buffer: json.buffer))"
  }
}

extension IssueAnswer {
  func described(_ events: [Int64: String]) -> String {
    let changes = history.map { "\($0.at) \($0.author) \($0.what) \($0.value ?? "")" }
    let parts = merged.map { "\($0.name) \($0.title) \($0.count)" }
    return
      ([issue.described(events), "users \(users)"] + parts + changes + reports.map { $0.described(events) })
      .joined(separator: "\n")
  }
}
