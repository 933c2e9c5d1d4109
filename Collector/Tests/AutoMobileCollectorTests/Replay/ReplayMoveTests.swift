import AutoMobileClickHouse
import AutoMobilePostgres
import ClickHouseTestServer
import Foundation
import GRDB
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileCollector

/// A laptop's data directory moves to collectors that share ClickHouse, PostgreSQL and an S3 store: real ones.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .enabled(if: SharedState.isThere),
  .timeLimit(.minutes(10)))
struct `Moving a directory with replays, and with what was erased` {
  private typealias Cluster = `Collectors with their telemetry in ClickHouse`

  private static let asOperator = [("Authorization", "Bearer operators-key"), ("Content-Type", "application/json")]

  /// Where a directory is moved to.
  struct Place: Sendable {
    let database: String
    let state: String
    let blobs: S3Settings
    let share: @Sendable (inout CollectorOptions) -> Void

    func open(_ url: URL) async throws -> TelemetryMove {
      try TelemetryMove(
        url, to: try await ClickHousePair.shared.address(database), try PostgresState(SharedState.options(state)),
        MoveReader.Most(events: 3, bytes: 1 << 20))
    }

    func move(_ url: URL, onReplays: (TelemetryMove.Progress) -> Void = { _ in }) async throws
      -> TelemetryMove.ReplayOutcome
    {
      let move = try await open(url)
      defer { move.close() }
      _ = try await move.move()
      return try await move.moveReplays(to: .s3(blobs), credentials: S3Server.credentials, onProgress: onReplays)
    }

    func check(_ url: URL) async throws -> (events: Int, erased: Int, segments: Int, differences: [String]) {
      let move = try await open(url)
      defer { move.close() }
      let events = try await move.check()
      let replays = try await move.checkReplays(in: .s3(blobs), credentials: S3Server.credentials)
      return (
        events.same, events.erased, replays.compared, (events.differences + replays.differences).map(\.description)
      )
    }

    var store: S3Blobs { S3Blobs(blobs, credentials: S3Server.credentials) }

    /// Names of packs in the store.
    func packs() async throws -> [BlobName] { try await store.list(.replays, after: nil).map(\.name) }
  }

  static func with(_ body: (Place) async throws -> Void) async throws {
    let name = Cluster.database()
    let cluster = try await Cluster.shared(name)
    let settings = try await S3Server.shared.settings()
    try await SharedState.with { database in
      let share: @Sendable (inout CollectorOptions) -> Void = {
        cluster(&$0)
        ($0.blobs, $0.blobCredentials) = (.s3(settings), S3Server.credentials)
        $0.packSeconds = 0.2
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
      }
      try await body(Place(database: name, state: database, blobs: settings, share: share))
    }
  }

  static func onLaptop(_ options: inout CollectorOptions) {
    options.operatorKeys = ["operators-key"]
    // A pack for each body.
    options.packBytes = 1
  }

  static func segments(_ name: String) -> [ReplaySender.Segment] {
    (0..<3).map { ReplaySender.Segment("\(name) \($0)", at: Int64($0)) } + [
      ReplaySender.Segment("{\"of\":\"\(name)\"}\n", at: 4, kind: "events")
    ]
  }

  /// A session with three events and a replay.
  @discardableResult
  static func record(
    _ session: String, _ user: String, _ collector: RunningCollector, hasReplay: Bool = true
  ) async throws -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: session, user: user)
    for number in 0..<3 { batch.addLog("\(user) \(number)") }
    #expect(try await collector.post(raw: batch).status == 200)
    try await collector.waitForLaunch(batch.launch, stored: 3)
    guard hasReplay else { return batch }
    var sender = ReplaySender(collector: collector)
    sender.replay = "replay-of-\(session)"
    sender.sessions = [session]
    for segment in segments(session) { #expect(try await sender.upload(segment) == [200, 204, 200]) }
    _ = try await sender.end()
    return batch
  }

  static func erase(_ user: String, _ collector: RunningCollector) async throws {
    let answer = try await collector.send(
      .POST, "/api/erasures", headers: asOperator, body: ByteBuffer(string: #"{"user":"\#(user)"}"#))
    #expect((200..<300).contains(answer.status), "\(answer.text)")
    let id = Int64(try answer.json()["id"].int ?? 0)
    let deadline = ContinuousClock.now + .seconds(120)
    while try await collector.collector.store.pool.read({ try Erasure.one(id, in: $0)?.step }) != .done {
      try #require(ContinuousClock.now < deadline, "the erasure is not done")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  static func replay(_ session: String, _ collector: RunningCollector) async throws -> JSONValue {
    try await collector.json("/api/sessions/\(session)/replays")["replays"][0]
  }

  @Test
  func
    `replays are shown as before, a move that ends after any pack doubles nothing, and a collector makes them its own`()
    async throws
  {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      let shown = NIOLockedValueBox<JSONValue>(.null)
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-1", "ada", laptop)
        try await Self.record("s-2", "bob", laptop)
        let replay = try await Self.replay("s-1", laptop)
        shown.withLockedValue { $0 = replay }
      }
      let file = directory.url.appending(path: ReplayMove.Progress.file)
      var noted: [Data] = []
      let outcome = try await place.move(directory.url) { _ in
        if let data = try? Data(contentsOf: file) { noted.append(data) }
      }
      #expect(outcome.segments == 8 && outcome.packs == 8 && outcome.lost == 0 && outcome.erased == 0, "\(outcome)")
      let packs = try await place.packs()
      #expect(packs.count == 8)
      // As killed before a pack was noted down: it is put again.
      for data in [noted[0], noted[3], noted[6]] {
        try data.write(to: file)
        _ = try await place.move(directory.url)
      }
      #expect(try await place.packs() == packs)
      let checked = try await place.check(directory.url)
      #expect(checked.segments == 8 && checked.events == 6 && checked.differences == [], "\(checked)")

      try await RunningCollector.with(place.share) { collector in
        let before = shown.withLockedValue { $0 }
        let found = try await Self.replay("s-1", collector)
        for member in ["segments", "bytes", "frames", "first", "last", "endedAt", "endReason", "metrics"] {
          let isSame = found[member] == before[member]
          #expect(isSame, "\(member): \(found[member]) and not \(before[member])")
        }
        let segment = Self.segments("s-1")[0]
        let picture = try await collector.get("/api/replays/replay-of-s-1/segments/\(segment.id)")
        #expect(picture.body == segment.body)
        // Its own, so that erasing takes the bytes out of the store.
        let store = collector.collector.store
        try await eventually("the packs are its own") {
          try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM replay_pack WHERE live > 0") }
            == 8
        }
        try await Self.erase("bob", collector)
        try await eventually("the bytes of who was erased are gone") { try await place.packs().count == 4 }
        #expect(try await collector.json("/api/sessions/s-2/replays")["replays"].array.isEmpty)
        #expect(try await collector.get("/api/replays/replay-of-s-1/segments/\(segment.id)").body == segment.body)
      }
    }
  }

  @Test func `what is damaged or missing in the store is found`() async throws {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-1", "ada", laptop)
      }
      _ = try await place.move(directory.url)
      let pack = try #require(try await place.packs().first)
      try await place.store.remove(pack)
      let checked = try await place.check(directory.url)
      #expect(checked.differences.count == 1 && checked.differences[0].hasSuffix("bytes, which cannot be read"))
      let move = try await place.open(directory.url)
      defer { move.close() }
      await #expect(throws: CollectorError.self) { _ = try await move.moveReplays(to: .folder) }
    }
  }

  @Test func `who was erased at the new place does not come with a directory, nor do their replays`() async throws {
    try await Self.with { place in
      try await RunningCollector.with(place.share) { collector in
        try await Self.record("s-0", "eve", collector, hasReplay: false)
        try await Self.erase("eve", collector)
      }
      let directory = try TemporaryDirectory()
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-1", "ada", laptop)
        try await Self.record("s-2", "eve", laptop)
      }
      let outcome = try await place.move(directory.url)
      #expect(outcome.segments == 4 && outcome.erased == 4, "\(outcome)")
      let checked = try await place.check(directory.url)
      #expect(checked.differences == [], "\(checked)")
      #expect(checked.events == 3 && checked.erased == 3, "\(checked)")
      let count = try await place.packs().count
      #expect(count == 4)
      try await RunningCollector.with(place.share) { collector in
        let kept = try await collector.json("/api/sessions/s-1")
        #expect(kept["events"].int == 3)
        #expect(try await collector.get("/api/sessions/s-2").status == 404)
        #expect(try await collector.json("/api/sessions")["sessions"].array.count == 1)
        #expect(try await collector.get("/api/replays/replay-of-s-2").status == 404)
        #expect(try await collector.json("/api/events?q=eve")["events"].array.isEmpty)
      }
    }
  }

  @Test func `who is erased while a move runs goes again, with the bytes, before a collector has them`() async throws {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-1", "ada", laptop)
        try await Self.record("s-2", "bob", laptop)
      }
      #expect(try await place.move(directory.url).segments == 8)
      let file = directory.url.appending(path: ReplayMove.Progress.file)
      var progress = try JSONDecoder().decode(ReplayMove.Progress.self, from: Data(contentsOf: file))
      // As killed behind the last pack.
      progress.isDone = false
      progress.fresh = progress.packs
      try JSONEncoder().encode(progress).write(to: file)
      let state = try PostgresState(SharedState.options(place.state))
      try MovedReplays.begin(progress.move, in: state)
      let (key, now) = ([UInt8](repeating: 7, count: 32), WallClock.now)
      try state.writeNow { state in
        _ = try state.execute(
          "INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4)",
          ErasureMarks.hash(.user, "bob", owner: ErasureMarks.anyOwner, key), Data(key), now,
          now + ErasureMarks.lifetime)
      }
      state.close()
      _ = try await place.move(directory.url)
      #expect(try await place.packs().count == 4)
      let checked = try await place.check(directory.url)
      #expect(checked.differences == [] && checked.erased == 3, "\(checked)")
      try await RunningCollector.with(place.share) { collector in
        let gone = try await collector.get("/api/replays/replay-of-s-2")
        #expect(gone.status == 404)
        #expect(try await collector.get("/api/replays/replay-of-s-1").status == 200)
      }
    }
  }

  @Test func `who was erased in the directory does not come to the new place from a phone that still has it`()
    async throws
  {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      let batch = NIOLockedValueBox<RawBatch?>(nil)
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        let recorded = try await Self.record("s-1", "eve", laptop)
        batch.withLockedValue { $0 = recorded }
        try await Self.erase("eve", laptop)
      }
      // The state at the new place is another's, and stays.
      #expect(try await place.move(directory.url).segments == 0)
      let first = try #require(batch.withLockedValue { $0 })
      try await RunningCollector.with(place.share) { collector in
        // All of it again, and what it goes on with: of the session by the context's number alone.
        #expect(try await collector.post(raw: first).status == 200)
        var second = RawBatch(launch: first.launch, from: first.position)
        second.addLog("eve goes on")
        #expect(try await collector.post(raw: second).status == 200)
        var other = RawBatch()
        other.addContext(1, session: "s-3", user: "ada")
        other.addLog("ada comes")
        #expect(try await collector.post(raw: other).status == 200)
        try await collector.waitForLaunch(other.launch, stored: 1)
        try await collector.wait(for: "/health") { $0["clickhouse"]["backlogBytes"].int == 0 }
        #expect(try await collector.json("/api/events?q=eve")["events"].array.isEmpty)
        let sessions = try await collector.json("/api/sessions")["sessions"].array.map { $0["sessionId"].string }
        #expect(sessions == ["s-3"], "\(sessions)")
      }
    }
  }

  @Test func `records that could not be read come along, and contexts that nothing has named yet`() async throws {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      let batch = NIOLockedValueBox<RawBatch?>(nil)
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        var sent = RawBatch()
        sent.addContext(1, session: "s-1", user: "ada")
        sent.addLog("first")
        sent.add(.event, #"{"eventType":"log"}"#)
        sent.addContext(2, session: "s-2", user: "ada")
        #expect(try await laptop.post(raw: sent).status == 200)
        try await laptop.waitForLaunch(sent.launch, stored: 1)
        try await laptop.wait(for: "/api/quarantine") { $0["quarantine"].array.count == 1 }
        let last = sent
        batch.withLockedValue { $0 = last }
      }
      for _ in 0..<2 { _ = try await place.move(directory.url) }
      let first = try #require(batch.withLockedValue { $0 })
      try await RunningCollector.with(place.share) { collector in
        let kept = try await collector.json("/api/quarantine")["quarantine"].array
        #expect(kept.count == 1 && kept[0]["reason"].string?.isEmpty == false, "\(kept)")
        // The launch goes on, in the context that came last.
        var next = RawBatch(launch: first.launch, from: first.position)
        next.addLog("next", context: 2)
        next.add(.breadcrumb, #"{"timestamp":1700000000.25,"message":"crumb"}"#)
        #expect(try await collector.post(raw: next).status == 200)
        let session = try await collector.wait(for: "/api/sessions/s-2") { $0["events"].int == 1 }
        let event = try await collector.json("/api/sessions/s-2/events")["events"].array.first
        #expect(event?["context"]["userId"].string == "ada")
        #expect(session["counts"]["breadcrumb"].int == 1, "\(session)")
      }
    }
  }
}
