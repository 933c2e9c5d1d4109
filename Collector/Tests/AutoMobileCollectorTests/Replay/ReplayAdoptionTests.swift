import AutoMobileClickHouse
import AutoMobilePostgres
import Foundation
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

/// What happens between the end of a move and the collector that makes its replays its own.
extension `Moving a directory with replays, and with what was erased` {
  /// A laptop's directory with replays of two people, moved.
  private static func moved(
    to place: Place, _ change: @escaping @Sendable (inout CollectorOptions) -> Void
  ) async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url, change) { laptop in
      try await record("s-1", "ada", laptop)
      try await record("s-2", "bob", laptop)
    }
    #expect(try await place.move(directory.url).segments == 8)
    return directory
  }

  /// ClickHouse has nothing of a session's replay any more.
  ///
  /// - Parameter isErased: it was not dropped with its day, but erased by another collector.
  private static func forget(_ session: String, isErased: Bool, _ directory: URL, _ place: Place) async throws {
    let move = try await place.open(directory)
    defer { move.close() }
    let cluster = move.cluster
    let name = "replay-of-\(session)"
    let found = try await cluster.client.rows(
      """
      SELECT DISTINCT project, replay FROM \(cluster.readable(TelemetryTables.replaySegments))
      WHERE replay = \(text: name)
      """
    ) { ErasureNames.Name(project: try $0.string(), name: try $0.string()) }
    let replay = try #require(found.first)
    if isErased {
      let now = WallClock.now
      var rows = ShardedRows(TelemetryTables.replayRemovals, cluster.map)
      rows.append(ShardKey.of(project: replay.project, session: replay.name)) { row in
        row.string(replay.project)
        row.string(replay.name)
        row.int(now)
        row.int(now)
        row.day(RecordColumns.day(now))
      }
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(rows)
    }
    try await MovedRows(cluster: cluster).delete(found)
  }

  /// Whether something in the store has its bytes.
  private static func holds(_ segment: ReplaySender.Segment, _ place: Place) async throws -> Bool {
    for entry in try await place.store.list(.replays, after: nil) {
      do {
        let body = try await place.store.get(entry.name, 0..<entry.bytes)
        if Data(body.readableBytesView).range(of: Data(segment.body.readableBytesView)) != nil { return true }
      } catch let error as BlobError where error.kind == .missing {
        // Removed since the listing.
      }
    }
    return false
  }

  @Test func `packs that ClickHouse names no more when a collector makes a move its own go from the store`()
    async throws
  {
    try await Self.with { place in
      let directory = try await Self.moved(to: place, Self.onLaptop)
      // Another's, right behind them in a listing.
      let packs = try await place.packs()
      let prefix = try #require(packs.first?.file.split(separator: "-").first)
      let other = try #require(BlobName(.replays, "\(prefix)zz-1"))
      try await place.store.put(.bytes(.init(string: "another's")), as: other)
      try await Self.forget("s-2", isErased: false, directory.url, place)
      try await RunningCollector.with(place.share) { collector in
        try await eventually("packs that nobody names are gone") { try await place.packs().count == 5 }
        #expect(try await place.packs().contains(other))
        for segment in Self.segments("s-1") {
          let picture = try await collector.get("/api/replays/replay-of-s-1/segments/\(segment.id)")
          #expect(picture.body == segment.body)
        }
      }
    }
  }

  @Test func `bytes of who is erased before a collector makes a move its own go from a pack that others share`()
    async throws
  {
    try await Self.with { place in
      let directory = try await Self.moved(to: place) { $0.operatorKeys = ["operators-key"] }
      #expect(try await place.packs().count == 1)
      let gone = Self.segments("s-2")
      #expect(try await Self.holds(gone[0], place))
      try await Self.forget("s-2", isErased: true, directory.url, place)
      try await RunningCollector.with(place.share) { collector in
        for segment in gone {
          try await eventually("the bytes are gone") { try await !Self.holds(segment, place) }
        }
        try await eventually("the others' pack is put") { try await !place.packs().isEmpty }
        for segment in Self.segments("s-1") {
          let picture = try await collector.get("/api/replays/replay-of-s-1/segments/\(segment.id)")
          #expect(picture.body == segment.body)
        }
      }
    }
  }

  @Test func `a move that ends before its last word puts no pack again, and a collector gets it with the next run`()
    async throws
  {
    try await Self.with { place in
      let directory = try TemporaryDirectory()
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-1", "ada", laptop)
      }
      #expect(try await place.move(directory.url).segments == 4)
      let state = try PostgresState(SharedState.options(place.state))
      defer { state.close() }
      let first = try MovedReplays.take(by: "one", in: state)
      #expect(first.count == 1)
      for move in first { try MovedReplays.finish(move, in: state) }
      try await RunningCollector.with(directory: directory.url, Self.onLaptop) { laptop in
        try await Self.record("s-2", "bob", laptop)
      }
      // The state takes everything but the word that a move has ended.
      try PostgresServer.shared.sql(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.name = 'moved_replays' AND NEW.value LIKE '%"isMoving":false%' THEN RAISE 'not now'; END IF;
          RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON setting FOR EACH ROW EXECUTE FUNCTION refuse();
        """, in: place.state)
      await #expect(throws: (any Error).self) { _ = try await place.move(directory.url) }
      let file = directory.url.appending(path: ReplayMove.Progress.file)
      let progress = try JSONDecoder().decode(ReplayMove.Progress.self, from: Data(contentsOf: file))
      #expect(progress.packs.count == 8 && progress.fresh.isEmpty && !progress.isDone)
      #expect(try MovedReplays.take(by: "one", in: state).isEmpty, "a command has begun, and not ended")
      try PostgresServer.shared.sql("DROP TRIGGER refuse ON setting", in: place.state)
      let again = try await place.move(directory.url)
      #expect(again.packs == 0)
      #expect(try MovedReplays.take(by: "one", in: state).count == 1)
    }
  }
}
