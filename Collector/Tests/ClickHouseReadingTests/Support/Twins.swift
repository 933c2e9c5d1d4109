import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// The same deliveries in SQLite's index, in two shards of ClickHouse, and in a current release of it: what they answer is compared.
final class Twins {
  /// One that is compared with the index.
  struct Twin {
    var name: String
    var telemetry: ClickHouseTelemetry
    /// Events by their numbers: numbers are of each store's own choosing.
    var events: [Int64: String]
  }

  static let received: Int64 = 1_700_001_000_000

  let store: EventStore
  /// In which ClickHouse has what came: delivery by delivery.
  let order: ArrivalOrder
  private let folder: URL
  private(set) var twins: [Twin] = []
  private(set) var events: [Int64: String] = [:]
  private let limits: CollectorLimits

  // MARK: Shared

  /// They are only read, so that each is made once.
  static var shop: Twins { get async throws { try await madeShop.value.twins } }
  static var health: Twins { get async throws { try await madeHealth.value.twins } }
  private static let madeShop = Task { Made(twins: try await Twins(ShopDeliveries.all, of: "twins_shop")) }
  private static let madeHealth = Task { Made(twins: try await Twins(HealthDeliveries.all, of: "twins_health")) }

  static var story: Twins { get async throws { try await madeStory.value.twins } }
  /// With pages that hold little.
  static var pages: Twins { get async throws { try await madePages.value.twins } }
  private static let madeStory = Task { Made(twins: try await Twins(StoryDeliveries.all, of: "twins_story")) }
  private static let madePages = Task {
    var limits = CollectorLimits()
    limits.pageBytes = 2000
    return Made(twins: try await Twins(StoryDeliveries.all, of: "twins_pages", limits: limits))
  }

  static var devices: Twins { get async throws { try await madeDevices.value.twins } }
  private static let madeDevices = Task { Made(twins: try await Twins(DeviceDeliveries.all, of: "twins_devices")) }

  /// Each delivery comes once to ClickHouse, too.
  static var counted: Twins { get async throws { try await madeCounted.value.twins } }
  private static let madeCounted = Task {
    Made(
      twins: try await Twins(
        StoryDeliveries.all + HealthDeliveries.all + RepeatedDeliveries.all, of: "twins_counted", again: false))
  }

  private struct Made: @unchecked Sendable {
    // Unchecked: nothing of it changes once it is made.
    let twins: Twins
  }

  private static let clusters = NIOLockedValueBox<[ClickHouseCluster]>([])
  private static let folders = NIOLockedValueBox<[URL]>([])
  private static let cleaning: Void = {
    _ = atexit {
      for folder in Twins.folders.withLockedValue({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }
  }()

  /// - Parameters:
  ///   - deliveries: come once to the index.
  ///   - again: and to ClickHouse twice: as after an answer that was lost.
  private init(
    _ deliveries: [Delivery], of database: String, limits: CollectorLimits = CollectorLimits(), again: Bool = true
  ) async throws {
    self.limits = limits
    folder = FileManager.default.temporaryDirectory.appending(path: "twins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Self.folders.withLockedValue { [folder] in $0.append(folder) }
    Self.cleaning
    store = try EventStore(
      path: folder.appending(path: "index.sqlite").path, fullText: true, maximumDepth: limits.jsonDepth, limits: limits)
    order = ArrivalOrder(store.state)
    try index(deliveries)
    events = try await Self.events(of: store)
    let cluster = try await Self.cluster(database)
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    let all = again ? deliveries + Self.again(deliveries) : deliveries
    for (index, delivery) in all.enumerated() {
      for rows in try rows([delivery], cluster.map, cluster.dialect, from: index) { try await inserter.insert(rows) }
      let number = Self.number(of: index)
      try await store.state.write {
        _ = try ArrivalRows.publish(
          upTo: number + 1000 * FrameNumbers.step, by: number % FrameNumbers.step, at: 1, in: $0)
      }
    }
    try await add("two shards", cluster.client, cluster.tables)
    if Chdb.isInstalled { try await add(all) }
  }

  /// The two shards, with tables of one's own. They stay connected until the tests have ended.
  static func cluster(_ database: String) async throws -> ClickHouseCluster {
    let cluster = try await ClickHouseCluster.open(ClickHousePair.shared.address(database))
    clusters.withLockedValue { $0.append(cluster) }
    return cluster
  }

  /// Some come on another day then, which is another partition: nothing ever merges them.
  static func again(_ deliveries: [Delivery]) -> [Delivery] {
    deliveries.map { delivery in
      var delivery = delivery
      delivery.received += delivery.again
      return delivery
    }
  }

  private func index(_ deliveries: [Delivery]) throws { try Self.index(deliveries, in: store, limits) }

  static func index(_ deliveries: [Delivery], in store: EventStore, _ limits: CollectorLimits) throws {
    try store.pool.write { database in
      var transaction = try IndexTransaction(database, caches: IndexCaches(), limits: limits, hasFullText: true)
      for delivery in deliveries {
        try delivery.bytes.withUnsafeBytes { bytes in
          try transaction.add(
            LogReader.Entry(
              receivedAt: delivery.received, owner: .app(delivery.bundle), number: nil, body: bytes,
              start: LogPosition(segment: 0, offset: 0), next: LogPosition(segment: 0, offset: 0),
              consumed: bytes.count, skipped: 0))
        }
      }
      try transaction.finish(at: LogPosition(segment: 1, offset: 0))
    }
  }

  private func rows(
    _ deliveries: [Delivery], _ map: ShardMap, _ dialect: Dialect, from index: Int
  ) throws -> [ShardedRows] {
    try Self.rows(deliveries, map, dialect, from: index, limits)
  }

  /// - Parameter index: of the delivery, by which its events are numbered.
  static func rows(
    _ deliveries: [Delivery], _ map: ShardMap, _ dialect: Dialect, from index: Int, _ limits: CollectorLimits
  ) throws -> [ShardedRows] {
    var rows = TelemetryRows(map, dialect, limits: limits)
    for delivery in deliveries {
      try delivery.bytes.withUnsafeBytes {
        _ = rows.add($0, of: .app(delivery.bundle), receivedAt: delivery.received, number: Self.number(of: index))
      }
    }
    rows.finish()
    return rows.all
  }

  /// As of one of two collectors, in turns.
  private static func number(of index: Int) -> Int64 { Int64(index + 1) * 1_000_000 }

  static func events(of store: EventStore) async throws -> [Int64: String] {
    try await store.pool.read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT event.id, owner.name, launch.given, event.sequence FROM event JOIN launch ON launch.id = event.launch
            JOIN owner ON owner.id = launch.owner
          """)
      return Dictionary(rows.map { ($0[0], "\($0[1] as String) \($0[2] as String) \($0[3] as Int64)") }) { one, _ in one
      }
    }
  }

  static func events(
    _ asking: any ClickHouseAsking, _ tables: ReadableTables
  ) async throws -> [Int64: String] {
    let found = try await asking.rows(
      "SELECT id, project, launch, position FROM \(tables(TelemetryTables.events))", settings: []
    ) { (try $0.int(Int64.self), "\(try $0.string()) \(try $0.string()) \(try $0.int(Int64.self))") }
    return Dictionary(found) { one, _ in one }
  }

  private func add(_ deliveries: [Delivery]) async throws {
    let chdb = try AskedChdb()
    let map = try ShardMap([.init(number: 1, weight: 1, hosts: [])])
    try chdb.prepare()
    for (index, delivery) in deliveries.enumerated() {
      for rows in try rows([delivery], map, .current, from: index) { try chdb.insert(rows) }
    }
    try await add("a current release", chdb, chdb.tables)
  }

  private func add(_ name: String, _ asking: any ClickHouseAsking, _ tables: ReadableTables) async throws {
    twins.append(
      Twin(
        name: name,
        telemetry: ClickHouseTelemetry(asking, tables, gate: ReadGate(limits), limits: limits),
        events: try await Self.events(asking, tables)))
  }

  // MARK: Comparing

  /// The first lines that are not the same.
  static func difference(_ found: String, _ wanted: String) -> String {
    let (found, wanted) = (found.split(separator: "\n"), wanted.split(separator: "\n"))
    let index = zip(found, wanted).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> Substring { lines.indices.contains(index) ? lines[index] : "(nothing)" }
    return "line \(index): \(line(found)) and not \(line(wanted)), of \(found.count) and \(wanted.count)"
  }

  /// Asks the index and each of the others, in a form in which no numbers of events are.
  func compare<Asked>(
    _ what: @autoclosure () -> String, _ index: () async throws -> Asked,
    _ other: (ClickHouseTelemetry) async throws -> Asked, as form: (Asked, _ events: [Int64: String]) throws -> String,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let wanted = try form(await index(), events)
    for twin in twins {
      let found = try form(await other(twin.telemetry), twin.events)
      // Not compared as texts: to show where long ones differ takes minutes.
      let isSame = found == wanted
      #expect(isSame, "\(what()) in \(twin.name): \(Self.difference(found, wanted))", sourceLocation: location)
    }
  }
}

/// A current release that readers ask.
final class AskedChdb: ClickHouseAsking, @unchecked Sendable {
  // Unchecked: the lock has one thread at a time ask it.
  private let chdb: Chdb
  private let lock = NSLock()
  let tables = ReadableTables(database: "twins", dialect: .current, isShared: false)

  init() throws { chdb = try Chdb() }

  func prepare() throws {
    try chdb.ask("SYSTEM STOP MERGES", parameters: false)
    try chdb.ask("CREATE DATABASE \(tables.database)", parameters: false)
    let migrator = SchemaMigrator(database: tables.database, cluster: nil)
    for step in SchemaMigrator.steps {
      for statement in step.statements(migrator, .current) { try chdb.ask(statement, parameters: false) }
    }
  }

  func insert(_ rows: ShardedRows) throws {
    for part in rows.parts { try chdb.insert(part.bytes, rows.table.insert(in: tables.database, .current)) }
  }

  func rows<Row: Sendable>(
    _ sql: AutoMobileClickHouse.SQL, settings: [(String, String)],
    _ read: @Sendable (inout RowBinaryReader) throws -> Row
  ) async throws -> [Row] {
    try lock.withLock {
      do {
        var reader = try chdb.ask(sql)
        return try reader.rows(read)
      } catch let refusal as Chdb.Refusal {
        throw ClickHouseError(
          .server(code: 0), "\(refusal.message.prefix(600)) of \(sql.rendered(parameters: false).text)")
      }
    }
  }
}

extension EventStore {
  /// What the door gives to somebody on this machine.
  func everything() throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: try ProjectStore(state, logger: logger),
      tokens: try UploadTokens(state, startedWith: []), isReachable: false)
    return try doorkeeper.readScope(of: .nobody, on: ClientPresence())
  }

  /// What it gives to somebody with a viewer's key for one project.
  func only(_ bundle: String) async throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let projects = try ProjectStore(state, logger: logger)
    let known = try await projects.list().projects.first { $0.bundleId == bundle }?.id
    let project: Int64 =
      if let known { known } else {
        try await projects.createProject(name: bundle, bundleId: bundle, by: "test", at: 1)
      }
    let made = try await projects.createKey(project: project, name: "v", role: .viewer, by: "test", at: 1)
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: projects, tokens: UploadTokens(), isReachable: false)
    let key = try #require(projects.key(made.secret, at: 2))
    return try doorkeeper.readScope(of: .key(key), on: ClientPresence())
  }
}
