import Foundation
import GRDB
import HTTPTypes
import NIOCore

/// Takes replays in: what was announced, what has come, how it ended.
struct ReplayStore: Sendable {
  let store: EventStore
  let packs: ReplayPacks
  /// Others take in segments of the same replays: what was announced, put and ended may each have come to another one.
  var isShared = false

  /// Of one replay.
  static let maximumSegments = 20_000
  /// Of one replay: announced, and not here yet.
  static let maximumWaiting = 1000
  /// Of one app within a day.
  static let maximumFaults = 10_000

  enum Announcement: Sendable, Equatable {
    case wanted
    case known
  }

  /// A segment is announced. The same one again is no second one.
  ///
  /// - Parameter isNoted: false: it is only said whether it may come; its body may go to another collector, and would be waited for here.
  /// - Throws: ``APIError``: 409 when the replay is over, 402 when the app has used up its quota, 429 when too much is
  ///   announced.
  func announce(
    _ segment: ReplaySegment, of app: DeliveringApp, quota: Int64?, at now: Int64, isNoted: Bool = true
  ) async throws -> Announcement {
    try await store.pool.write { database in
      // Erased: whoever still has it need not send it.
      if try Self.isErased(segment.replay, segment.sessions, app.owner, database) { return .known }
      let owner = try OwnerTable.row(of: app.owner, in: database)
      if let known = try Row.fetchOne(
        database,
        sql: """
          SELECT pack, replay.given FROM replay_segment JOIN replay ON replay.id = replay
          WHERE replay_segment.owner = ? AND segmentId = ?
          """, arguments: [owner, segment.id])
      {
        guard known[1] == segment.replay else { throw Self.otherReplay }
        return known[0] == nil ? .wanted : .known
      }
      if let quota, try Self.used(by: owner, database) + segment.size > quota { throw Self.overQuota }
      let known = try Self.known(segment.replay, owner, database)
      if let end = known?.endedAt, segment.first > end {
        throw APIError(.conflict, "session_closed", "the replay ended before this segment began")
      }
      guard isNoted else { return .wanted }
      let replay = try known?.id ?? Self.made(segment.replay, of: app, owner, at: now, database)
      let counts = try Row.fetchOne(
        database, sql: "SELECT COUNT(*), COUNT(*) - COUNT(pack) FROM replay_segment WHERE replay = ?",
        arguments: [replay])
      guard counts?[0] ?? 0 < Self.maximumSegments else {
        throw APIError.tooLarge("the replay has \(Self.maximumSegments) segments already")
      }
      guard counts?[1] ?? 0 < Self.maximumWaiting else {
        throw APIError.busy("too many segments were announced and have not arrived", retryAfter: 60)
      }
      try Self.join(replay, segment.sessions, database)
      try database.execute(
        sql: """
          INSERT INTO replay_segment(
            owner, segmentId, replay, kind, first, last, frames, announced, received, contentHash, continues)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          owner, segment.id, replay, segment.kind.rawValue, segment.first, segment.last, segment.frames,
          segment.size, now,
          segment.contentHash, segment.continues,
        ])
      return .wanted
    }
  }

  /// Whether a segment may come; false when it is here already.
  ///
  /// - Throws: ``APIError`` when the app has not announced it.
  func isWanted(_ segment: String, of app: DeliveringApp) async throws -> Bool {
    // Not the row itself, which may not leave the reading thread: then this would be the reading that blocks.
    let isMissing = try await store.pool.read {
      try Bool.fetchOne(
        $0, sql: "SELECT pack IS NULL FROM replay_segment WHERE \(Self.isSegment)",
        arguments: [app.owner.name, segment])
    }
    guard let isMissing else { throw Self.unknown }
    return isMissing
  }

  /// The hash of its content that a segment was announced with.
  func contentHash(_ segment: String, of app: DeliveringApp) async throws -> String? {
    try await store.pool.read {
      try String.fetchOne(
        $0, sql: "SELECT contentHash FROM replay_segment WHERE \(Self.isSegment)", arguments: [app.owner.name, segment])
    }
  }

  /// A segment's body has come, checked. When it has come twice at one time, one of the two stays behind in its pack.
  func keep(_ body: ByteBuffer, as segment: String, of app: DeliveringApp, at now: Int64) async throws {
    let place = try await append(body)
    defer { packs.spool.settle(place) }
    try await store.pool.write { database in
      let pack = try ReplayTables.pack(place.pack, in: database)
      try database.execute(
        sql: """
          UPDATE replay_segment SET pack = ?, offset = ?, length = ?, checksum = ?, received = ?
          WHERE \(Self.isSegment) AND pack IS NULL
          """, arguments: [pack, place.offset, place.length, place.checksum, now, app.owner.name, segment])
      guard database.changesCount == 1 else { return }
      try database.execute(
        sql: "UPDATE replay_pack SET live = live + ? WHERE id = ?", arguments: [place.length, pack])
      try database.execute(
        sql: """
          UPDATE replay SET bytes = bytes + ?1, received = ?2, change = \(ReplayTables.nextChange),
            frames = replay.frames + segment.frames,
            first = MIN(IFNULL(replay.first, segment.first), segment.first),
            last = MAX(IFNULL(replay.last, segment.last), segment.last)
          FROM (SELECT replay, first, last, CASE kind WHEN 'screenshots' THEN frames ELSE 0 END AS frames
            FROM replay_segment WHERE owner = (SELECT id FROM owner WHERE name = ?3) AND segmentId = ?4) AS segment
          WHERE replay.id = segment.replay
          """, arguments: [place.length, now, app.owner.name, segment])
    }
  }

  /// - Throws: ``APIError`` when so much waits for the blob store that nothing more fits on this machine's disk.
  private func append(_ body: ByteBuffer) async throws -> ReplayPacks.Place {
    do {
      return try await offLoop { [packs] in try packs.spool.append(body) }
    } catch let full as PackSpool.Full {
      throw APIError.busy(
        "\(full.bytes) bytes of replays wait until \(packs.blobs.place) takes them: send it again later", retryAfter: 30
      )
    }
  }

  /// A sender says that a segment is whole.
  ///
  /// - Returns: whether that was known.
  func complete(_ segment: String, size: Int64?, of app: DeliveringApp) async throws -> Bool {
    do {
      guard try await !isWanted(segment, of: app) else { throw Self.unknown }
    } catch let error as APIError where isShared && error.code == Self.unknown.code {
      // The one that took the body found it whole, and said so: only then a sender says it.
      return false
    }
    return try await store.pool.write { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT complete, length FROM replay_segment WHERE \(Self.isSegment)",
        arguments: [app.owner.name, segment])
      if let size, let length: Int64 = row?[1], size != length {
        throw APIError.badRequest("invalid_actualSizeBytes", "\(length) bytes arrived, not \(size)")
      }
      try database.execute(
        sql: "UPDATE replay_segment SET complete = 1 WHERE \(Self.isSegment)", arguments: [app.owner.name, segment])
      return row?[0] == 1
    }
  }

  /// A replay is over.
  ///
  /// - Returns: how long it was, without the background, in milliseconds; nil when nothing of it ever came. And whether it was
  ///   over before: then nothing changes.
  func end(
    _ end: ReplayEnd, of app: DeliveringApp, at now: Int64
  ) async throws -> (duration: Int64?, isRepeated: Bool) {
    try await store.pool.write { [isShared] database in
      // All that came of it may have come to others.
      if isShared, try !Self.isErased(end.replay, end.sessions, app.owner, database) {
        let owner = try OwnerTable.row(of: app.owner, in: database)
        _ = try Self.known(end.replay, owner, database)?.id ?? Self.made(end.replay, of: app, owner, at: now, database)
      }
      guard
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT id, first, last, startedAt, endedAt, backgroundMs FROM replay
            WHERE owner = (SELECT id FROM owner WHERE name = ?) AND given = ?
            """, arguments: [app.owner.name, end.replay])
      else { return (nil, false) }
      if let started: Int64 = row[3], let ended: Int64 = row[4] { return (ended - started - (row[5] ?? 0), true) }
      let id: Int64 = row[0]
      let times = end.clamped(first: row[1], last: row[2], now: now)
      try Self.join(id, end.sessions, database)
      try database.execute(
        sql: """
          UPDATE replay SET startedAt = ?, endedAt = ?, backgroundMs = ?, endReason = ?, metrics = ?, received = ?, toldEnd = ?,
            change = \(ReplayTables.nextChange)
          WHERE id = ?
          """,
        arguments: [times.start, times.end, times.background, end.reason, end.metrics.text, now, end.told, id])
      return (times.end - times.start - times.background, false)
    }
  }

  /// - Returns: false when this incident was told before.
  func add(_ fault: ReplayFault, of app: DeliveringApp, at now: Int64) async throws -> Bool {
    try await store.pool.write { database in
      if let replay = fault.replay, try Self.isErased(replay, [], app.owner, database) { return false }
      let owner = try OwnerTable.row(of: app.owner, in: database)
      let today = try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM replay_fault WHERE owner = ? AND received > ?",
        arguments: [owner, now - 86_400_000])
      guard today ?? 0 < Self.maximumFaults else {
        throw APIError.busy("there were \(Self.maximumFaults) faults within a day", retryAfter: 3600)
      }
      let replay = try fault.replay.map {
        try Self.known($0, owner, database)?.id ?? Self.made($0, of: app, owner, at: now, database)
      }
      try database.execute(
        sql: "INSERT INTO replay_fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [
          owner, fault.incident, replay, fault.timestamp, fault.category, fault.identifier, fault.detail, fault.frames,
          fault.context, now,
        ])
      return database.changesCount == 1
    }
  }

  /// Bytes that an app's replays take up.
  func used(by app: DeliveringApp) async throws -> Int64 {
    try await store.pool.read { database in
      try OwnerTable.known(app.owner, in: database).map { try Self.used(by: $0, database) } ?? 0
    }
  }

  private static func used(by owner: Int64, _ database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "SELECT SUM(bytes) FROM replay WHERE owner = ?", arguments: [owner]) ?? 0
  }

  // MARK: Rows

  private static func isErased(
    _ replay: String, _ sessions: [String], _ owner: DataOwner, _ database: Database
  ) throws -> Bool {
    let marks = try ErasureMarks(database)
    guard !marks.isEmpty else { return false }
    return try marks.mark(.replay, replay, of: owner) != nil
      || sessions.contains { try marks.mark(.session, $0, of: owner) != nil }
  }

  /// A segment by its owner's name and its own.
  private static let isSegment = "owner = (SELECT id FROM owner WHERE name = ?) AND segmentId = ?"

  /// - Returns: its end by its own clock as well, if it is over: nothing begins after that.
  private static func known(
    _ name: String, _ owner: Int64, _ database: Database
  ) throws -> (id: Int64, endedAt: Int64?)? {
    try Row.fetchOne(
      database,
      // What stayed on a device whose clock is ahead is of the future, and may still be asked for.
      sql: "SELECT id, MAX(endedAt, IFNULL(toldEnd, endedAt)) FROM replay WHERE owner = ? AND given = ?",
      arguments: [owner, name]
    ).map { ($0[0], $0[1]) }
  }

  /// A new one.
  static func made(
    _ name: String, of app: DeliveringApp, _ owner: Int64, at now: Int64, _ database: Database
  ) throws -> Int64 {
    let id = try PublicName.choose(name, app.owner, column: "replayId", of: "replay", in: database)
    try database.execute(
      sql: """
        INSERT INTO replay(replayId, owner, given, bundleId, received, change)
        VALUES (?, ?, ?, ?, ?, \(ReplayTables.nextChange))
        """,
      arguments: [id, owner, name, app.bundleId, now])
    return database.lastInsertedRowID
  }

  private static func join(_ replay: Int64, _ sessions: [String], _ database: Database) throws {
    let known = try Int.fetchOne(
      database, sql: "SELECT COUNT(*) FROM replay_session WHERE replay = ?", arguments: [replay])
    for session in sessions.prefix(max(200 - (known ?? 0), 0)) {
      try database.execute(sql: "INSERT OR IGNORE INTO replay_session VALUES (?, ?)", arguments: [replay, session])
    }
  }

  static let unknown = APIError(
    .notFound, "unknown_segment", "no such segment was announced, or it has not arrived: start again with presign")
  private static let otherReplay = APIError(.forbidden, "wrong_replay", "this segment belongs to another replay")
  private static let overQuota = APIError(
    HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required"), "quota_exceeded",
    "the app's replays have reached their quota: raise quotaBytes, or keep less")
}
