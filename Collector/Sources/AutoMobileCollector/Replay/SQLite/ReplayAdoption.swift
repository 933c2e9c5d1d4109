import AutoMobileClickHouse
import GRDB

/// Makes replays that were moved into the blob store one collector's own, as if it had put them there: it removes them when they are too
/// old, and when somebody is erased. Ended early, it goes on.
struct ReplayAdoption: Sendable {
  let store: EventStore
  let cluster: ClickHouseCluster
  let blobs: any BlobStore
  /// The collector's name in the cluster.
  let place: String

  /// Asked for at once, at most: fewer, where an answer has no room for so many.
  private static let packs = 50
  let page: Int

  init(store: EventStore, cluster: ClickHouseCluster, blobs: any BlobStore, place: String, page: Int = 5000) {
    (self.store, self.cluster, self.blobs, self.place, self.page) = (store, cluster, blobs, place, page)
  }

  /// - Returns: whether something has become this collector's own.
  /// - Throws: what ClickHouse, the state, or the blob store (``BlobError``) says.
  func run() throws -> Bool {
    guard store.sharesState else { return false }
    let moves = try MovedReplays.take(by: place, in: store.state)
    for move in moves { try adopt(move) }
    return !moves.isEmpty
  }

  private func adopt(_ move: MovedReplays.Taken) throws {
    let there = try waitFor { [blobs] in try await Self.packs(of: move.move, in: blobs) }
    let names = try named(MovedReplays.prefix(move.move))
    // What a command that goes on with it puts is not known from the look at the store on: none of these is that one's.
    guard try MovedReplays.isCurrent(move, in: store.state) else { return }
    try waitFor {
      try await HalvedPages.parts(of: names, most: Self.packs) { try await adopt(try await segments(of: $0)) }
      try await HalvedPages.read(most: page) {
        try await replays(of: move.move, behind: $0, $1)
      } use: {
        try await adopt($0)
      }
    }
    try adopt(there)
    try MovedReplays.finish(move, in: store.state)
  }

  /// Packs that ClickHouse names.
  private func named(_ prefix: String) throws -> [String] {
    try waitFor { [cluster] in
      try await cluster.client.rows(
        """
        SELECT DISTINCT pack FROM \(cluster.readable(TelemetryTables.replaySegments)) \
        WHERE startsWith(pack, \(text: prefix)) ORDER BY pack
        """
      ) { try $0.string() }
    }
  }

  private func segments(of packs: [String]) async throws -> [ReplayNews.Segment] {
    let isThere: AutoMobileClickHouse.SQL = "pack IN (SELECT arrayJoin(\(SQLValue.strings(packs))))"
    let own = cluster.tables.local(TelemetryTables.replaySegments)
    return try await ReplayIndexRows.read(
      // A replay's are all on one shard.
      ["(project, replay, segment) IN (SELECT project, replay, segment FROM \(own) WHERE \(isThere))"],
      // By the row that counts: what was put elsewhere since is not needed here.
      filter: [isThere], cluster)
  }

  private func replays(
    of move: String, behind last: ReplayNews.Told?, _ most: Int
  ) async throws -> [ReplayNews.Told] {
    var rows = DistinctRows(
      TelemetryTables.replays,
      columns: [
        "project", "replay", "session", "bundle", "started", "ended", "background", "reason", "metrics", "received",
      ])
    rows.range = ["place = \(text: move)"]
    if let last {
      let (project, session) = (last.project, last.sessions.first ?? "")
      rows.range.append(
        """
        project > \(text: project) OR (project = \(text: project) AND (session > \(text: session) \
        OR (session = \(text: session) AND replay > \(text: last.replay))))
        """)
    }
    // As they lie there.
    (rows.order, rows.limit) = (["project", "session", "replay"], most)
    let statement = rows.sql(
      cluster,
      selecting: [
        "project", "replay", "session", "bundle", "ifNull(started, -1)", "ifNull(ended, -1)", "ifNull(background, -1)",
        "ifNull(reason, '')", "ifNull(metrics, '')", "received",
      ])
    return try await cluster.client.rows(statement) { row in
      let (project, replay, session, bundle) = (
        try row.string(), try row.string(), try row.string(), try row.string()
      )
      let times = [try row.int(Int64.self), try row.int(Int64.self), try row.int(Int64.self)].map {
        $0 < 0 ? nil : $0
      }
      let texts = [try row.string(), try row.string()].map { $0.isEmpty ? nil : $0 }
      return ReplayNews.Told(
        project: project, replay: replay, bundle: bundle.isEmpty ? nil : bundle,
        sessions: session.isEmpty ? [] : [session],
        end: times[1].map {
          KnownReplay.End(
            startedAt: times[0], endedAt: $0, backgroundMs: times[2], reason: texts[0], metrics: texts[1])
        }, received: try row.int(Int64.self))
    }
  }

  // MARK: In the collector's own file

  private func adopt(_ segments: [ReplayNews.Segment]) async throws {
    try await store.pool.write { database in
      let marks = try ErasureMarks(database)
      for segment in segments {
        guard let place = segment.part.place else { continue }
        let owner = DataOwner(name: segment.project)
        // Erased: its bytes go with the holes.
        let pack = try ReplayTables.pack(place.pack, in: database)
        guard try marks.mark(.replay, segment.replay, of: owner) == nil else { continue }
        let row = try OwnerTable.row(of: owner, in: database)
        let replay = try Self.row(of: segment.replay, owner, row, received: segment.received, database)
        let part = segment.part.part
        try database.cachedStatement(
          sql: """
            INSERT OR IGNORE INTO replay_segment(
              owner, segmentId, replay, kind, first, last, frames, announced, received, complete, contentHash, continues,
              pack, offset, length, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          row, part.segmentId, replay, part.kind, part.first, part.last, part.frames, part.length, segment.received,
          segment.part.hash, part.continues, pack, place.offset, place.length, place.checksum,
        ])
        guard database.changesCount == 1 else {
          try Self.tellAgain(part.segmentId, of: row, unlessIn: pack, database)
          continue
        }
        try database.execute(
          sql: "UPDATE replay_pack SET live = live + ? WHERE id = ?", arguments: [place.length, pack])
        try database.execute(
          sql: """
            UPDATE replay SET bytes = bytes + ?1, received = MAX(received, ?2), change = \(ReplayTables.nextChange),
              frames = frames + ?3, first = MIN(IFNULL(first, ?4), ?4), last = MAX(IFNULL(last, ?5), ?5)
            WHERE id = ?6
            """,
          arguments: [
            place.length, segment.received, part.kind == ReplaySegment.Kind.screenshots.rawValue ? part.frames : 0,
            part.first, part.last, replay,
          ])
      }
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO replay_told(pack) SELECT name FROM replay_pack
          WHERE name IN (SELECT value FROM json_each(?))
          """, arguments: [Self.json(Set(segments.compactMap { $0.part.place?.pack.file }))])
    }
  }

  /// A phone has brought it here, too: it lies in a pack of this collector's, and ClickHouse takes the place that came last for its own.
  private static func tellAgain(_ segment: String, of owner: Int64, unlessIn pack: Int64, _ database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM replay_told WHERE pack = (
          SELECT name FROM replay_segment JOIN replay_pack ON replay_pack.id = pack
          WHERE owner = ? AND segmentId = ? AND pack <> ?)
        """, arguments: [owner, segment, pack])
  }

  private static func json(_ names: Set<String>) -> String {
    JSONTree.array(names.sorted().map(JSONTree.string)).text
  }

  private func adopt(_ replays: [ReplayNews.Told]) async throws {
    for some in replays.chunks(of: 200) {
      try await store.pool.write { database in
        let marks = try ErasureMarks(database)
        for told in some {
          let owner = DataOwner(name: told.project)
          guard try marks.mark(.replay, told.replay, of: owner) == nil,
            try told.sessions.allSatisfy({ try marks.mark(.session, $0, of: owner) == nil })
          else { continue }
          let row = try OwnerTable.row(of: owner, in: database)
          let replay = try Self.row(of: told.replay, owner, row, received: told.received, database)
          for session in told.sessions {
            try database.execute(
              sql: "INSERT OR IGNORE INTO replay_session VALUES (?, ?)", arguments: [replay, session])
          }
          try database.execute(
            sql: """
              UPDATE replay SET bundleId = IFNULL(bundleId, ?1), change = \(ReplayTables.nextChange) WHERE id = ?2
              """, arguments: [told.bundle, replay])
          guard let end = told.end else { continue }
          try database.execute(
            sql: """
              UPDATE replay SET startedAt = ?, endedAt = ?, backgroundMs = ?, endReason = ?, metrics = ?
              WHERE id = ? AND endedAt IS NULL
              """, arguments: [end.startedAt, end.endedAt, end.backgroundMs, end.reason, end.metrics, replay])
        }
      }
    }
  }

  private static func row(
    of name: String, _ owner: DataOwner, _ row: Int64, received: Int64, _ database: Database
  ) throws -> Int64 {
    let known = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM replay WHERE owner = ? AND given = ?"), arguments: [row, name])
    return try known
      ?? ReplayStore.made(name, of: DeliveringApp(owner: owner, bundleId: nil), row, at: received, database)
  }
}
