import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import GRDB
import Logging
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Two collectors over two shards, with one place for blobs.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Replays of several collectors` {
  private struct Pair {
    let cluster: ClickHouseCluster
    let one: ClusterCollector
    let two: ClusterCollector

    func replays(_ collector: ClusterCollector) -> ClickHouseReplays {
      ClickHouseReplays(telemetry: collector.telemetry, local: SQLiteReplays(store: collector.store))
    }
  }

  private func with(_ body: (Pair) async throws -> Void) async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let blobs = directory.url.appending(path: "blobs")
      let one = try ClusterCollector(directory.url.appending(path: "one"), cluster, blobs: blobs)
      defer { one.close() }
      let two = try ClusterCollector(directory.url.appending(path: "two"), cluster, blobs: blobs, writer: 1)
      defer { two.close() }
      try await body(Pair(cluster: cluster, one: one, two: two))
    }
  }

  private static func scope(_ collector: ClusterCollector) throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: try ProjectStore(collector.store.state, logger: logger),
      tokens: try UploadTokens(collector.store.state, startedWith: []), isReachable: false)
    return try doorkeeper.readScope(of: .nobody, on: ClientPresence())
  }

  private static func body(
    _ segment: ReplaySender.Segment, of replay: String, _ pair: Pair, at collector: ClusterCollector
  ) async throws -> ByteBuffer? {
    let found = try await pair.replays(collector).places(try scope(collector), segment.id, of: replay)
    guard let place = found?.places.first else { return nil }
    return try await collector.packs.read(place)
  }

  private static func session(_ name: String) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: name, user: "ada")
    batch.addLog("of \(name)")
    return batch
  }

  @Test func `a replay that one collector has put is shown by another, whole, and read from the blobs`() async throws {
    try await with { pair in
      try await pair.one.followed.append(Self.session("s-1"))
      try await pair.one.followed.append(Self.session("s-2"))
      try await pair.one.followed.drain()
      let segments = (0..<3).map { ReplaySender.Segment("picture \($0)", at: Int64($0)) }
      try await pair.one.take(segments[0], of: "r-1", session: "s-1")
      try await pair.one.take(segments[1], of: "r-1", session: "s-1")
      try await pair.one.tell()
      // One that the other collector has, and has not put.
      try await pair.two.take(segments[2], of: "r-1", session: "s-1")
      let end = try ReplayEnd(
        .object([
          "sessionId": .string("r-1"), "endedAt": .integer(ReplaySender.start + 5000),
          "endReason": .string("background_timeout"),
        ]))
      _ = try await ReplayStore(store: pair.one.store, packs: pair.one.packs)
        .end(end, of: ClusterCollector.app, at: WallClock.now - 5)
      try await pair.one.tell()

      let scope = try Self.scope(pair.two)
      let found = try await pair.replays(pair.two).replays(scope, of: "s-1")
      #expect(found.map(\.given) == ["r-1"])
      #expect(found.first?.parts.map(\.part.segmentId) == segments.map(\.id))
      #expect(found.first?.sessions == ["s-1"] && found.first?.end?.endedAt == ReplaySender.start + 5000)
      #expect(try await pair.replays(pair.two).replay(scope, "r-1")?.parts.count == 3)
      #expect(try await pair.replays(pair.two).replays(scope, of: "s-2").isEmpty)
      for segment in segments {
        #expect(try await Self.body(segment, of: "r-1", pair, at: pair.two) == segment.body)
      }
      // The first does not know yet what the second has.
      #expect(try await pair.replays(pair.one).replay(try Self.scope(pair.one), "r-1")?.parts.count == 2)

      var filter = SessionFilter()
      filter.query = try SearchQuery("has:replay", in: .sessions)
      let sessions = try await ClickHouseSessions(telemetry: pair.two.telemetry)
        .list(scope, filter, before: nil, limit: 10, now: WallClock.now).page.rows
      #expect(sessions.map(\.sessionId) == ["s-1"])
    }
  }

  @Test func `what is put into another pack is found there`() async throws {
    try await with { pair in
      let segment = ReplaySender.Segment("a picture")
      try await pair.one.take(segment, of: "r-1", session: "s-1")
      try await pair.one.tell()
      let scope = try Self.scope(pair.two)
      let before = try await pair.replays(pair.two).places(scope, segment.id, of: "r-1")?.places.first
      let pack = try #require(
        try await pair.one.store.pool.read { try Int64.fetchOne($0, sql: "SELECT id FROM replay_pack") })
      try await ReplayEraser.move(pack, pair.one.store, pair.one.packs)
      try await ReplayEraser.sweep(pair.one.store, pair.one.packs)
      try await pair.one.tell()
      let after = try await pair.replays(pair.two).places(scope, segment.id, of: "r-1")?.places.first
      #expect(before != nil && after != nil && before?.pack != after?.pack)
      #expect(try await Self.body(segment, of: "r-1", pair, at: pair.two) == segment.body)
    }
  }

  @Test func `erased at one collector, a replay goes from where it was put and from what the other has`() async throws {
    try await with { pair in
      let (mine, others) = (ReplaySender.Segment("of ada"), ReplaySender.Segment("of bob"))
      try await pair.one.followed.append(Self.session("s-1"))
      try await pair.one.followed.drain()
      try await pair.one.take(mine, of: "r-1", session: "s-1")
      try await pair.one.take(others, of: "r-2", session: "s-2")
      try await pair.one.tell()
      _ = try await pair.two.erase(ErasureSubject(.session, "s-1"))
      let scope = try Self.scope(pair.two)
      #expect(try await pair.replays(pair.two).replay(scope, "r-1") == nil)
      let teller = pair.one.teller
      try await offLoop { teller.look() }
      #expect(teller.problem == nil)
      try await pair.one.tell()
      #expect(try await pair.replays(pair.one).replay(try Self.scope(pair.one), "r-1") == nil)
      #expect(try await Self.body(others, of: "r-2", pair, at: pair.two) == others.body)
      // Its bytes are in no pack any more, and it does not come again.
      #expect(try await Self.holds(mine, pair.one.packs.blobs) == false)
      try await pair.one.take(mine, of: "r-1", session: "s-1")
      try await pair.one.tell()
      #expect(try await pair.replays(pair.two).replay(scope, "r-1") == nil)
    }
  }

  /// Whether a pack in the blob store has its bytes.
  private static func holds(_ segment: ReplaySender.Segment, _ blobs: any BlobStore) async throws -> Bool {
    for entry in try await blobs.list(.replays, after: nil) {
      let body = try await blobs.get(entry.name, 0..<entry.bytes)
      if Data(body.readableBytesView).range(of: Data(segment.body.readableBytesView)) != nil { return true }
    }
    return false
  }

  /// Whoever tells of a collector's replays, as after a start of its process.
  private static func teller(_ collector: ClusterCollector, _ blobs: any BlobStore, _ pair: Pair) -> ReplayTeller {
    let packs = ReplayPacks(spool: collector.packs.spool, blobs: blobs)
    return ReplayTeller(
      pair.cluster, news: ReplayNews(store: collector.store, packs: packs), place: "0",
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func `bytes of an erased replay go when the blob store answers again, also in the next process`() async throws {
    try await with { pair in
      let (mine, others) = (ReplaySender.Segment("of ada"), ReplaySender.Segment("of bob"))
      try await pair.one.followed.append(Self.session("s-1"))
      try await pair.one.followed.drain()
      try await pair.one.take(mine, of: "r-1", session: "s-1")
      try await pair.one.take(others, of: "r-2", session: "s-2")
      try await pair.one.tell()
      _ = try await pair.two.erase(ErasureSubject(.session, "s-1"))
      let blobs = pair.one.packs.blobs
      let away = Self.teller(pair.one, UnreadableBlobs(blobs: blobs), pair)
      try await offLoop { away.look() }
      #expect(away.problem != nil)
      #expect(try await Self.holds(mine, blobs))
      // The next one finds nothing of the replay itself any more.
      let next = Self.teller(pair.one, blobs, pair)
      try await offLoop { next.look() }
      #expect(next.problem == nil)
      try await pair.one.tell()
      #expect(try await Self.holds(mine, blobs) == false)
      #expect(try await Self.body(others, of: "r-2", pair, at: pair.two) == others.body)
    }
  }

  @Test func `bytes of a replay that was found late go from the packs of whoever found it`() async throws {
    try await with { pair in
      let (mine, others) = (ReplaySender.Segment("of ada"), ReplaySender.Segment("of bob"))
      try await pair.one.take(mine, of: "r-1", session: "s-1")
      try await pair.one.take(others, of: "r-2", session: "s-2")
      try await pair.one.tell()
      let project = try await pair.one.store.pool.write { database -> String? in
        try ErasureMarks.makeKey(in: database)
        return try String.fetchOne(
          database, sql: "SELECT owner.name FROM replay JOIN owner ON owner.id = replay.owner WHERE given = 'r-1'")
      }
      var around = ClickHouseSubject.Surroundings()
      around.replays = [ErasureNames.Name(project: try #require(project), name: "r-1")]
      try ErasureLists(pair.one.store).note([], around, of: ErasureNames.late, at: WallClock.now)
      let blobs = pair.one.packs.blobs
      #expect(try await Self.holds(mine, blobs))
      let teller = pair.one.teller
      try await offLoop { teller.look() }
      #expect(teller.problem == nil)
      try await pair.one.tell()
      #expect(try await Self.holds(mine, blobs) == false)
      #expect(try await Self.body(others, of: "r-2", pair, at: pair.two) == others.body)
    }
  }

  private static func rows(of replay: String, _ cluster: ClickHouseCluster) async throws -> Int {
    var count = 0
    for table in [TelemetryTables.replays, TelemetryTables.replaySegments] {
      count +=
        try await cluster.client.rows(
          "SELECT count() FROM \(cluster.readable(table)) WHERE replay = \(text: replay)"
        ) { Int(try $0.int(UInt64.self)) }.first ?? 0
    }
    return count
  }

  @Test func `what a collector has still to tell of an erased replay is not told`() async throws {
    try await with { pair in
      try await pair.one.followed.append(Self.session("s-1"))
      try await pair.one.followed.drain()
      try await pair.one.take(ReplaySender.Segment("first", at: 0), of: "r-1", session: "s-1")
      try await pair.one.tell()
      _ = try await pair.two.erase(ErasureSubject(.session, "s-1"))
      #expect(try await Self.rows(of: "r-1", pair.cluster) == 0)
      // Nobody has told the first of it yet.
      try await pair.one.take(ReplaySender.Segment("second", at: 1), of: "r-1", session: "s-1")
      await pair.one.put()
      let teller = pair.one.teller
      try await offLoop { teller.look() }
      #expect(teller.problem == nil)
      #expect(try await Self.rows(of: "r-1", pair.cluster) == 0)
    }
  }

  @Test func `what was told of an erased replay all the same goes at the next look of whoever erased`() async throws {
    try await with { pair in
      try await pair.one.followed.append(Self.session("s-1"))
      try await pair.one.followed.drain()
      try await pair.one.take(ReplaySender.Segment("first", at: 0), of: "r-1", session: "s-1")
      try await pair.one.tell()
      try await pair.one.take(ReplaySender.Segment("of another", at: 0), of: "r-2", session: "s-2")
      _ = try await pair.two.erase(ErasureSubject(.session, "s-1"))
      pair.two.erasures.stop()
      // Under way while it was erased: more of it, and one of the session that nobody had heard of.
      try await pair.one.take(ReplaySender.Segment("second", at: 1), of: "r-1", session: "s-1")
      try await pair.one.take(ReplaySender.Segment("third", at: 2), of: "r-3", session: "s-1")
      try await pair.one.tell()
      #expect(try await Self.rows(of: "r-1", pair.cluster) > 0)
      try await pair.two.lookAgain()
      #expect(try await Self.rows(of: "r-1", pair.cluster) == 0)
      #expect(try await Self.rows(of: "r-3", pair.cluster) == 0)
      #expect(try await Self.rows(of: "r-2", pair.cluster) > 0)
    }
  }

  @Test func `a replay is told whose request waited until others had been told`() async throws {
    try await with { pair in
      let now = WallClock.now
      try await pair.one.take(ReplaySender.Segment("quick"), of: "r-1", session: "s-1", at: now)
      try await pair.one.tell()
      try await pair.one.take(ReplaySender.Segment("slow"), of: "r-2", session: "s-1", at: now - 60_000)
      try await pair.one.tell()
      let told = try await pair.cluster.client.rows(
        "SELECT DISTINCT replay FROM \(pair.cluster.readable(TelemetryTables.replays)) ORDER BY replay"
      ) { try $0.string() }
      #expect(told == ["r-1", "r-2"])
      // And one that changes again is told again.
      try await pair.one.take(ReplaySender.Segment("more", at: 5), of: "r-1", session: "s-3", at: now - 90_000)
      try await pair.one.tell()
      let sessions = try await pair.cluster.client.rows(
        "SELECT DISTINCT session FROM \(pair.cluster.readable(TelemetryTables.replays)) WHERE replay = 'r-1' ORDER BY session"
      ) { try $0.string() }
      #expect(sessions == ["s-1", "s-3"])
    }
  }
}

/// A store that keeps and lists, and does not answer who reads.
private struct UnreadableBlobs: BlobStore {
  let blobs: any BlobStore

  var place: String { blobs.place }
  func put(_ content: BlobContent, as name: BlobName) async throws { try await blobs.put(content, as: name) }
  func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer {
    throw BlobError(.unavailable, "not now")
  }
  func size(of name: BlobName) async throws -> Int64? { try await blobs.size(of: name) }
  func remove(_ name: BlobName) async throws { try await blobs.remove(name) }
  func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] {
    try await blobs.list(folder, after: name)
  }
  func file(_ name: BlobName) -> String? { nil }
  func check() async throws { try await blobs.check() }
  func tidy() async throws { try await blobs.tidy() }
}
