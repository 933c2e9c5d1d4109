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
    /// Of these, what no collector can have made its own yet.
    var fresh: Set<String> = []
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

  struct Segment: Sendable {
    var segment: ReplayNews.Segment
    var isErased: Bool
  }

  // MARK: Moving

  private static let hour: Int64 = 3_600_000

  func run(_ onProgress: (TelemetryMove.Progress) -> Void) async throws -> Outcome {
    try await to.check()
    var progress = try begin()
    let names = try await packs()
    var (outcome, shown) = (Outcome(), TelemetryMove.Progress(all: names.count))
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    var begun: Int64?
    for name in names {
      if !progress.packs.contains(name.file) {
        var moved = outcome
        repeat {
          if begun.map({ WallClock.now - $0 > Self.hour }) ?? true {
            progress.isDone = false
            try write(progress)
            // A collector may have made its own what there was.
            if try !MovedReplays.begin(progress.move, in: state) { progress.fresh = [] }
            begun = WallClock.now
          }
          moved = outcome
          try await move(name, progress.move, inserter, &moved)
          // When the machine slept meanwhile, a collector may have removed a pack of which nothing was told yet: it is put once more.
        } while begun.map { WallClock.now - $0 >= MovedReplays.longestSilence } ?? false
        outcome = moved
        progress.packs.insert(name.file)
        progress.fresh.insert(name.file)
        try write(progress)
      }
      shown.done += 1
      onProgress(shown)
    }
    guard !progress.isDone else { return outcome }
    if begun == nil, try !MovedReplays.begin(progress.move, in: state) { progress.fresh = [] }
    try await tellReplays(of: progress.move, inserter)
    try await removeErased(of: progress, inserter)
    // From then on a collector may make them its own: none is put again, wherever this ends.
    progress.fresh = []
    try write(progress)
    try MovedReplays.add(progress.move, in: state)
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
  func packs() async throws -> [BlobName] {
    try await store.pool.read {
      try String.fetchAll($0, sql: "SELECT name FROM replay_pack WHERE live > 0 ORDER BY name")
    }
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
    guard !moved.isEmpty else { return try await to.remove(new) }
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

  func segments(of name: BlobName) async throws -> [Segment] {
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

  /// Somebody may have been erased since their pack was put: it is put anew without them, before a collector makes it its own.
  private func removeErased(of progress: Progress, _ inserter: ClickHouseInserter) async throws {
    guard let erased = try await erased() else { return }
    let names = try await store.pool.read { database in
      var erased = erased
      return try Row.fetchAll(
        database, sql: "SELECT given, owner.name FROM replay JOIN owner ON owner.id = owner"
      ).compactMap { row -> ErasureNames.Name? in
        let (name, project): (String, String) = (row[0], row[1])
        return try Self.isErased(name, of: project, &erased, database)
          ? ErasureNames.Name(project: project, name: name) : nil
      }
    }
    let rows = MovedRows(cluster: cluster)
    for some in names.chunks(of: 200) { try await rows.delete(some) }
    for file in progress.fresh.sorted() {
      guard let name = BlobName(.replays, file) else { continue }
      let found = try await segments(of: name)
      guard found.contains(where: \.isErased) else { continue }
      var again = Outcome()
      try await move(name, progress.move, inserter, &again)
    }
  }

  private func replays(after last: Int64) async throws -> (last: Int64?, replays: [ReplayNews.Told]) {
    let erased = try await erased()
    return try await store.pool.read { database in
      var erased = erased
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT \(ReplayNews.Told.columns) FROM replay JOIN owner ON owner.id = owner
          WHERE replay.id > ? AND \(MoveReader.isMoved) ORDER BY replay.id LIMIT 500
          """, arguments: [last])
      let replays = try rows.compactMap { row -> ReplayNews.Told? in
        if var marked = erased {
          defer { erased = marked }
          if try Self.isErased(row[2], of: row[1], &marked, database) { return nil }
        }
        return try ReplayNews.Told(row, in: database)
      }
      return (rows.last.map { $0[0] }, replays)
    }
  }
}
