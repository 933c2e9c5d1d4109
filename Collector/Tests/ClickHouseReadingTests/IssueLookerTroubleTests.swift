import ClickHouseTestServer
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Reports come into issues, whatever is in the way of whoever looks at them.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct IssueLookerTroubleTests {
  private static let start = IssueDeliveries.start

  private static func failure(_ number: Int) -> Delivery {
    IssueDeliveries.delivery(number) { $0.failure("Card \(number) was declined", at: start + Int64(number)) }
  }

  @Test func `A report whose copies are on two shards is looked at once`() async throws {
    let stage = try await LookerStage("looker_shards")
    try await stage.deliver(Self.failure(500))
    var copy = try await stage.telemetry.readOwn { reading -> ReportVersion in
      let reports = ReportsToLookAt(reading: reading)
      let day = try #require(try await reports.days(since: 0).first)
      let found = try #require(try await reports.unseen(on: day).first)
      return try #require(try await reports.versions([found.name])[found.name])
    }
    // Its session had another name when it came first.
    let (map, project, own) = (stage.cluster.map, copy.name.project, stage.cluster.map.index(of: copy.shard))
    let other = try #require(
      (0..<1000).map { "launch:\($0)" }.first { map.index(of: ShardKey.of(project: project, session: $0)) != own })
    (copy.session, copy.shard, copy.id) = (other, ShardKey.of(project: project, session: other), copy.id + 1)
    var rows = ShardedRows(TelemetryTables.reports, map)
    copy.write(to: &rows)
    try await stage.inserter.insert(rows)

    try await stage.look()
    let issue = try #require(try await stage.list().first)
    #expect(issue.events == 1)
    let written = try await stage.written()
    #expect(written == 2)
    try await stage.look()
    #expect(try await stage.written() == written)
  }

  @Test func `What came since the last look is found without looking at all, and what waited elsewhere a little later`()
    async throws
  {
    let stage = try await LookerStage("looker_since")
    let now = WallClock.now - Twins.received
    let looker = stage.looker(wholeEvery: 3600)
    func look() async throws { try await offLoop { try looker.lookAtAll() } }
    try await stage.deliver(Self.failure(510), again: now)
    try await look()
    try await stage.deliver(Self.failure(511), again: now)
    try await look()
    #expect(try await stage.list().map(\.events) == [2])
    // It came again: on this day that is nothing new.
    try await stage.deliver(Self.failure(510), again: now + 1)
    let written = try await stage.written()
    try await look()
    #expect(try await stage.written() == written)
    // This one was received two hours ago, and not there.
    try await stage.deliver(Self.failure(512), again: now - 2 * IssueDeliveries.hour)
    try await look()
    #expect(try await stage.list().map(\.events) == [2])
    try await offLoop { looker.stop() }
    try await stage.look()
    #expect(try await stage.list().map(\.events) == [3])
  }

  @Test func `While symbols cannot be read, a report is in an issue without them`() async throws {
    let stage = try await LookerStage("looker_symbols")
    let program = try await CheckoutProgram.shared
    let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let blobs = AwayBlobs(folder.appending(path: "blobs"))
    func symbolizer(_ cache: String) throws -> Symbolizer {
      Symbolizer(
        store: try SymbolStore(
          files: try BlobFiles(blobs, cache: folder.appending(path: cache).path, limit: 1 << 30),
          table: SymbolTable(state: stage.store.state), maximumBytes: 1 << 30, logger: IssueTwins.logger),
        tools: SymbolTools.found(), logger: IssueTwins.logger)
    }
    _ = try await symbolizer("adding").store.add(program.path, name: "checkout")

    blobs.isAway.withLockedValue { $0 = true }
    let delivery = try IssueDeliveries.delivery(520) {
      $0.event("crash", at: Self.start, try program.crash(in: "price"))
    }
    try await stage.deliver(delivery)
    await #expect(throws: BlobError.self) { try await stage.look(try symbolizer("away")) }
    let without = try await stage.list()
    #expect(without.map(\.events) == [1] && without[0].culprit?.contains("price") != true)
    // It comes again, and something else comes.
    try await stage.deliver(delivery, again: HealthFilter.day)
    try await stage.deliver(Self.failure(521), again: 2 * HealthFilter.day)
    await #expect(throws: BlobError.self) { try await stage.look(try symbolizer("still away")) }
    #expect(try await stage.list().map(\.events) == [1, 1])

    blobs.isAway.withLockedValue { $0 = false }
    try await stage.look(try symbolizer("back"))
    let with = try await stage.list()
    #expect(with.map(\.events) == [1, 1] && with.contains { $0.culprit?.contains("price") == true })
  }

  @Test func `Whoever has no symbolizer leaves reports to those who have one`() async throws {
    let stage = try await LookerStage("looker_tools")
    let without = Symbolizer(store: stage.symbolizer.store, tools: SymbolTools(), logger: IssueTwins.logger)
    try #require(stage.symbolizer.tools.symbolizer != nil)
    // Where nobody has one, anybody looks.
    let looker = stage.looker(without)
    try await stage.deliver(Self.failure(530))
    try await offLoop { try looker.lookAtAll() }
    #expect(try await stage.list().map(\.events) == [1])

    let other = stage.looker()
    try await stage.deliver(Self.failure(531))
    // The other one has the turn still; now it is told who could do better.
    try await offLoop { try other.lookAtAll() }
    #expect(try await stage.list().map(\.events) == [1])
    try await offLoop { try looker.lookAtAll() }
    #expect(try await stage.list().map(\.events) == [1])
    try await offLoop { try other.lookAtAll() }
    #expect(try await stage.list().map(\.events) == [2])
    try await offLoop {
      looker.stop()
      other.stop()
    }
  }

  @Test func `Whoever does not reach ClickHouse leaves reports to the others`() async throws {
    let stage = try await LookerStage("looker_failing")
    let failing = stage.looker()
    stage.end.withLockedValue { $0 = .beforeRows }
    try await stage.deliver(Self.failure(540))
    failing.start()
    try await Self.wait("it has tried") { stage.inserts.withLockedValue { $0 } > 0 }
    // What this one puts there arrives.
    let working = IssueLooker(
      telemetry: stage.telemetry, map: stage.cluster.map, state: stage.store.beside, symbolizer: stage.symbolizer,
      logger: IssueTwins.logger, interval: 0.05, wholeEvery: 0
    ) { [inserter = stage.inserter] in try await inserter.insert($0) }
    working.start()
    try await Self.wait("another one has looked") { try await stage.list().map(\.events) == [1] }
    try await offLoop {
      working.stop()
      failing.stop()
    }
  }

  private static func wait(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try await !isSo() {
      try #require(ContinuousClock.now < end, "not within two minutes: \(what)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// Blobs in a folder that does not answer for a while, as a store over the network.
private final class AwayBlobs: BlobStore {
  let isAway = NIOLockedValueBox(false)
  private let folder: FolderBlobs

  init(_ folder: URL) { self.folder = FolderBlobs(folder) }

  private var answering: FolderBlobs {
    get throws {
      guard !isAway.withLockedValue({ $0 }) else { throw BlobError(.unavailable, "nothing answers") }
      return folder
    }
  }

  var place: String { folder.place }
  func put(_ content: BlobContent, as name: BlobName) async throws { try await answering.put(content, as: name) }
  func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer { try await answering.get(name, range) }
  func size(of name: BlobName) async throws -> Int64? { try await answering.size(of: name) }
  func remove(_ name: BlobName) async throws { try await answering.remove(name) }
  func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] {
    try await answering.list(folder, after: name)
  }
  func file(_ name: BlobName) -> String? { nil }
  func check() async throws { try await answering.check() }
  func tidy() async throws { try await answering.tidy() }
}
