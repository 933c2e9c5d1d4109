import AutoMobileClickHouse
import AutoMobileState
import Foundation
import GRDB
import NIOCore

/// Brings the replays of a data directory into the blob store of collectors that share theirs, and into ClickHouse's index of them, as if
/// one of them had put them there.
///
/// A pack is one blob, with a name that is made of the move's and its own: what is put again is put under the same name. What was erased,
/// at either place, is not in it. How far it is stands in a file beside the index; the pack at which it was ended is put again.
struct ReplayMove: Sendable {
  struct Progress: Codable, Sendable, Equatable {
    static let file = "moved-replays.json"

    /// Of this move: in names of packs, and in ClickHouse the teller's.
    var move: String
    /// Where to; without anything secret.
    var blobs: String
    var packs: Set<String> = []
    var isDone = false
  }

  typealias Outcome = TelemetryMove.ReplayOutcome

  let store: EventStore
  let path: String
  let cluster: ClickHouseCluster
  let marks: MoveMarks
  let state: any StateStore
  let from: ReplayPacks
  let to: any BlobStore
  /// As marks of places have it.
  let place: String

  private struct Segment: Sendable {
    var segment: ReplayNews.Segment
    var isErased: Bool
  }

  // MARK: Moving

  func run(_ onProgress: (TelemetryMove.Progress) -> Void) async throws -> Outcome {
    try await to.check()
    var progress = try begin()
    let names = try await packs()
    var (outcome, shown) = (Outcome(), TelemetryMove.Progress(all: names.count))
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    for name in names {
      if !progress.packs.contains(name.file) {
        try await move(name, progress.move, inserter, &outcome)
        progress.packs.insert(name.file)
        try write(progress)
      }
      shown.done += 1
      onProgress(shown)
    }
    try await tellReplays(of: progress.move, inserter)
    // Only now may a collector make it its own.
    if outcome.packs > 0 || !progress.isDone { try MovedReplays.add(progress.move, in: state) }
    progress.isDone = true
    try write(progress)
    return outcome
  }

  private func begin() throws -> Progress {
    if let before = try read() {
      guard before.blobs == place else {
        throw CollectorError.blobsElsewhere(known: before.blobs, given: place)
      }
      return before
    }
    let progress = Progress(move: UUID().uuidString, blobs: place)
    // Before anything has its name.
    try write(progress)
    return progress
  }

  func read() throws -> Progress? {
    guard let bytes = try SyncedFile.read("\(path)/\(Progress.file)", longest: 64 << 20) else { return nil }
    guard let progress = try? JSONDecoder().decode(Progress.self, from: Data(bytes)) else {
      throw CollectorError.telemetryUnusable(
        reason: "\(path)/\(Progress.file) says how far a move was, and cannot be understood: remove it to begin again")
    }
    return progress
  }

  private func write(_ progress: Progress) throws {
    try SyncedFile.write(Array(try JSONEncoder().encode(progress)), to: "\(path)/\(Progress.file)")
  }

  /// In the order of their names.
  private func packs() async throws -> [BlobName] {
    try await store.pool.read { try String.fetchAll($0, sql: "SELECT name FROM replay_pack WHERE live > 0 ORDER BY name") }
      .compactMap { BlobName(.replays, $0) }
  }

  private func move(
    _ name: BlobName, _ move: String, _ inserter: ClickHouseInserter, _ outcome: inout Outcome
  ) async throws {
    guard let new = BlobName(.replays, MovedReplays.prefix(move) + name.file) else {
      throw BlobError(.refused, "\(name) has too long a name")
    }
    var (content, moved) = (ByteBuffer(), [ReplayNews.Segment]())
    for found in try await segments(of: name) {
      var segment = found.segment
      guard let old = segment.part.place, !found.isErased else {
        outcome.erased += 1
        continue
      }
      let body: ByteBuffer
      do {
        body = try await from.read(old)
      } catch let error as BlobError where error.kind == .missing || error.kind == .damaged {
        outcome.lost += 1
        continue
      }
      segment.part.place = ReplayPacks.Place(
        pack: new, offset: Int64(content.writerIndex), length: old.length, checksum: old.checksum)
      content.writeImmutableBuffer(body)
      moved.append(segment)
    }
    guard !moved.isEmpty else { return }
    try await put(content, as: new)
    try await inserter.insert(ReplayRows.segments(moved, cluster.map, at: WallClock.now))
    outcome.packs += 1
    outcome.segments += moved.count
    outcome.bytes += Int64(content.readableBytes)
  }

  /// Somebody may have been erased since an attempt that ended: then there is another one under its name.
  private func put(_ content: ByteBuffer, as name: BlobName) async throws {
    do {
      try await to.put(.bytes(content), as: name)
    } catch let error as BlobError where error.kind == .exists {
      try await to.remove(name)
      try await to.put(.bytes(content), as: name)
    }
  }

  private func erased() async throws -> MoveErased? {
    try await offLoop { [marks] in try marks.current() }.map(MoveErased.init)
  }

  private func segments(of name: BlobName) async throws -> [Segment] {
    // What was opened from files is opened again.
    let segments = try ReplayNews(store: store, packs: from).segments(of: name).filter {
      !DataOwner(name: $0.project).isFile
    }
    guard let erased = try await erased() else {
      return segments.map { Segment(segment: $0, isErased: false) }
    }
    return try await store.pool.read { database in
      var marked = erased
      return try segments.map { segment in
        Segment(
          segment: segment,
          isErased: try Self.isErased(segment.replay, of: segment.project, &marked, database))
      }
    }
  }

  private static func isErased(
    _ replay: String, of project: String, _ erased: inout MoveErased, _ database: Database
  ) throws -> Bool {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT replay.id, IFNULL(last, 0) FROM replay JOIN owner ON owner.id = owner WHERE given = ? AND owner.name = ?
          """), arguments: [replay, project])
    guard let row else { return false }
    return try erased.isErased(replay: row[0], replay, until: row[1], of: project, database)
  }

  private func tellReplays(of move: String, _ inserter: ClickHouseInserter) async throws {
    var last: Int64 = 0
    while true {
      let (next, replays) = try await replays(after: last)
      guard let next else { return }
      let rows = ReplayRows.replays(replays, by: move, cluster.map, at: WallClock.now)
      if !rows.isEmpty { try await inserter.insert(rows) }
      last = next
    }
  }

  private func replays(after last: Int64) async throws -> (last: Int64?, replays: [ReplayNews.Told]) {
    let erased = try await erased()
    return try await store.pool.read { database in
      var erased = erased
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT replay.id, owner.name, given, bundleId, startedAt, endedAt, backgroundMs, endReason, metrics, received
          FROM replay JOIN owner ON owner.id = owner WHERE replay.id > ? AND owner.name NOT LIKE 'file %' ORDER BY replay.id LIMIT 500
          """, arguments: [last])
      let replays = try rows.compactMap { row -> ReplayNews.Told? in
        if var marked = erased {
          defer { erased = marked }
          if try Self.isErased(row[2], of: row[1], &marked, database) { return nil }
        }
        var told = ReplayNews.Told(
          project: row[1], replay: row[2], bundle: row[3],
          sessions: try String.fetchAll(
            database, sql: "SELECT sessionId FROM replay_session WHERE replay = ?", arguments: [row[0] as Int64]),
          received: row[9])
        if let endedAt: Int64 = row[5] {
          told.end = KnownReplay.End(
            startedAt: row[4], endedAt: endedAt, backgroundMs: row[6], reason: row[7], metrics: row[8])
        }
        return told
      }
      return (rows.last.map { $0[0] }, replays)
    }
  }

  // MARK: Comparing

  /// Compares each segment: its replay, times and bytes.
  ///
  /// - Parameter most: differences after which it ends.
  func check(most: Int, _ onProgress: (TelemetryMove.Progress) -> Void) async throws -> (
    compared: Int, differences: [TelemetryMove.Difference]
  ) {
    guard let progress = try read(), progress.isDone else {
      throw CollectorError.telemetryUnusable(
        reason: "this directory's replays have not been moved, or not to their end: automobile store move --blobs does that"
      )
    }
    guard progress.blobs == place else { throw CollectorError.blobsElsewhere(known: progress.blobs, given: place) }
    let names = try await packs()
    var (compared, differences) = (0, [TelemetryMove.Difference]())
    var shown = TelemetryMove.Progress(all: names.count)
    let there = ReplayPacks(spool: PackSpool(reading: path + "/moved"), blobs: to)
    for name in names where differences.count < most {
      let segments = try await segments(of: name)
      let found = try await self.there(segments.map(\.segment))
      for wanted in segments where differences.count < most {
        compared += 1
        let segment = wanted.segment
        let problem = try await unlike(wanted, found[Key(segment)], there)
        if let problem {
          differences.append(
            .init(description: "segment \(segment.part.part.segmentId) of replay \(segment.replay) \(problem)"))
        }
      }
      shown.done += 1
      onProgress(shown)
    }
    return (compared, differences)
  }

  private struct Key: Hashable {
    var project: String
    var replay: String
    var segment: String

    init(_ segment: ReplayNews.Segment) {
      (project, replay, self.segment) = (segment.project, segment.replay, segment.part.part.segmentId)
    }
  }

  /// - Returns: nil: they are the same.
  private func unlike(
    _ wanted: Segment, _ found: ReplayNews.Segment?, _ there: ReplayPacks
  ) async throws -> String? {
    guard !wanted.isErased else { return found == nil ? nil : "is there, and was erased" }
    let (one, place) = (wanted.segment.part, wanted.segment.part.place)
    guard let place else { return nil }
    let own: ByteBuffer
    do { own = try await from.read(place) } catch let error as BlobError where error.kind == .missing || error.kind == .damaged {
      return found == nil ? "cannot be read in the directory, and is not there" : nil
    }
    guard let found, let other = found.part.place else { return "is not there" }
    var columns: [String] = []
    if one.part != found.part.part { columns.append("what is said of it") }
    if one.hash != found.part.hash { columns.append("hash") }
    if wanted.segment.received != found.received { columns.append("received") }
    do {
      if try await there.read(other) != own { columns.append("bytes") }
    } catch let error as BlobError where error.kind == .missing || error.kind == .damaged {
      columns.append("bytes, which cannot be read")
    }
    return columns.isEmpty ? nil : "is another one: \(columns.joined(separator: ", "))"
  }

  private func there(_ segments: [ReplayNews.Segment]) async throws -> [Key: ReplayNews.Segment] {
    var found: [Key: ReplayNews.Segment] = [:]
    for some in segments.chunks(of: 200) {
      let list = AutoMobileClickHouse.SQL.joined(
        some.map { "(\(text: $0.project), \(text: $0.replay), \(text: $0.part.part.segmentId))" }, ", ")
      for segment in try await ReplayIndexRows.read(
        ["(project, replay, segment) IN (\(list))"], cluster)
      {
        found[Key(segment)] = segment
      }
    }
    return found
  }
}

// MARK: - With the move of a directory

extension TelemetryMove {
  /// What became of a directory's replays.
  package struct ReplayOutcome: Sendable {
    package var packs = 0
    package var segments = 0
    package var bytes: Int64 = 0
    /// Whose bytes cannot be read in the directory.
    package var lost = 0
    /// Of people who were erased.
    package var erased = 0
  }

  /// Whether the directory has replays at all.
  package var hasReplays: Bool {
    get throws {
      try moved.store.pool.read {
        try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM replay_segment WHERE pack IS NOT NULL)") ?? false
      }
    }
  }

  /// Moves the directory's replays, which need not be moved after its events.
  ///
  /// - Parameter credentials: nil: those that the environment names.
  /// - Throws: ``BlobError``, ``CollectorError``, ``InsertFailure``, ``StateError``, or what the index says.
  package func moveReplays(
    to place: BlobPlace, credentials: S3Credentials? = nil, onProgress: (Progress) -> Void = { _ in }
  ) async throws -> ReplayOutcome {
    try await offLoop { [marks, moved] in try marks.tell(moved.store) }
    return try await replayMove(to: place, credentials).run(onProgress)
  }

  /// - Parameter most: differences after which it ends.
  package func checkReplays(
    in place: BlobPlace, credentials: S3Credentials? = nil, most: Int = 20,
    onProgress: (Progress) -> Void = { _ in }
  ) async throws -> (compared: Int, differences: [Difference]) {
    try await replayMove(to: place, credentials).check(most: most, onProgress)
  }

  private func replayMove(to place: BlobPlace, _ credentials: S3Credentials?) throws -> ReplayMove {
    guard place != .folder else {
      throw CollectorError.blobsUnusable(reason: "replays are moved to where all collectors read them: name s3://…")
    }
    let known = try BlobMark.known(in: moved.store.own)
    let url = URL(filePath: moved.path)
    let to = try place.open(url, credentials)
    let from: any BlobStore
    switch known {
    case BlobPlace.folder.mark: from = FolderBlobs(url)
    case place.mark: from = to
    default: throw CollectorError.blobsElsewhere(known: known, given: place.mark)
    }
    return ReplayMove(
      store: moved.store, path: moved.path, cluster: cluster, marks: marks, state: state,
      from: ReplayPacks(spool: PackSpool(reading: moved.directory.packs), blobs: from), to: to, place: place.mark)
  }
}
