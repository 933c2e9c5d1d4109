import Foundation
import GRDB

/// What is known of replays in this collector's own file.
struct SQLiteReplays: ReplayReading {
  let store: EventStore
  /// Replays of one session.
  static let most = 100

  func replays(_ scope: ReadScope, of session: String) async throws -> [KnownReplay] {
    try await store.read(scope) {
      try Self.replays("replay.id IN (\(ReplayTables.ofSessionNamed))", [session], $0)
    }
  }

  func replay(_ scope: ReadScope, _ name: String) async throws -> KnownReplay? {
    try await store.read(scope) { try Self.replays("replayId = ?", [name], $0).first }
  }

  func places(
    _ scope: ReadScope, _ segment: String, of replay: String
  ) async throws -> (places: [ReplayPacks.Place], kind: String)? {
    try await store.read(scope) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT replay_pack.name, offset, length, checksum, kind FROM replay_segment JOIN replay ON replay.id = replay
            JOIN replay_pack ON replay_pack.id = pack
          WHERE replayId = ?1 AND pack IS NOT NULL AND (segmentId = ?2 OR continues = ?2)
          ORDER BY segmentId <> ?2, replay_segment.first, replay_segment.id
          """, arguments: [replay, segment])
      guard let first = rows.first else { return nil }
      let kind: String = first[4]
      let places = rows.filter { $0[4] == kind }.compactMap(ReplayPacks.Place.init)
      return (places, kind)
    }
  }

  func whole(_ scope: ReadScope, of session: String) async throws -> [WholeReplay] {
    try await store.read(scope, .heavy) {
      try Self.replays("replay.id IN (\(ReplayTables.ofSessionNamed))", [session], $0, hasPlaces: true)
    }.map { $0.whole(in: session) }
  }

  // MARK: Beside another index

  /// Those that this collector has parts of, of a session or of these names: as their apps call them.
  ///
  /// - Parameter project: nil: any that may be seen.
  func own(
    _ scope: ReadScope, of session: String?, in project: String?, named: [(project: String, replay: String)]
  ) async throws -> [KnownReplay] {
    try await store.read(scope) { database in
      var ids: Set<Int64> = []
      let owner = "(?2 IS NULL OR owner = (SELECT id FROM owner WHERE name = ?2))"
      if let session {
        ids.formUnion(
          try Int64.fetchAll(
            database,
            sql: """
              SELECT replay.id FROM replay_session JOIN replay ON replay.id = replay WHERE sessionId = ?1 AND \(owner)
              """, arguments: [session, project]))
      }
      for name in named {
        ids.formUnion(
          try Int64.fetchAll(
            database, sql: "SELECT id FROM replay WHERE given = ?1 AND \(owner)",
            arguments: [name.replay, name.project]))
      }
      return try ids.prefix(Self.most).flatMap { try Self.replays("replay.id = ?", [$0], database, hasPlaces: true) }
    }
  }

  /// The same by a name alone.
  func own(_ scope: ReadScope, called name: String) async throws -> [KnownReplay] {
    try await store.read(scope) { try Self.replays("given = ?", [name], $0, hasPlaces: true) }
  }

  // MARK: Rows

  private static func replays(
    _ condition: String, _ arguments: StatementArguments, _ database: Database, hasPlaces: Bool = false
  ) throws -> [KnownReplay] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT replay.id, replayId, bundleId, startedAt, endedAt, backgroundMs, endReason, metrics, given, owner.name
        FROM replay JOIN owner ON owner.id = replay.owner WHERE \(condition) ORDER BY first LIMIT \(most)
        """, arguments: arguments
    ).map { row in
      let id: Int64 = row[0]
      var replay = KnownReplay(project: row[9], given: row[8], name: row[1], bundleId: row[2])
      if let endedAt: Int64 = row[4] {
        replay.end = KnownReplay.End(
          startedAt: row[3], endedAt: endedAt, backgroundMs: row[5], reason: row[6], metrics: row[7])
      }
      replay.sessions = try String.fetchAll(
        database,
        sql: """
          SELECT IFNULL(session.sessionId, replay_session.sessionId) FROM replay_session
            JOIN replay ON replay.id = replay
            LEFT JOIN session ON session.owner = replay.owner AND session.given = replay_session.sessionId
          WHERE replay = ?
          """, arguments: [id])
      replay.parts = try hasPlaces ? placed(id, database) : parts(id, database)
      replay.faults = try Row.fetchAll(
        database,
        sql: """
          SELECT incidentId, timestamp, category, identifier, detail, frames, context FROM replay_fault
          WHERE replay = ? ORDER BY timestamp LIMIT 100
          """, arguments: [id]
      ).map {
        KnownReplay.Fault(
          incident: $0[0], timestamp: $0[1], category: $0[2], identifier: $0[3], detail: $0[4], frames: $0[5],
          context: $0[6])
      }
      return replay
    }
  }

  private static func parts(_ replay: Int64, _ database: Database) throws -> [KnownReplay.Part] {
    try ReplayPart.fetchAll(
      database,
      sql: """
        SELECT segmentId, kind, first, last, frames, length, continues FROM replay_segment
        WHERE replay = ? AND pack IS NOT NULL ORDER BY first, id
        """, arguments: [replay]
    ).map { KnownReplay.Part(part: $0) }
  }

  private static func placed(_ replay: Int64, _ database: Database) throws -> [KnownReplay.Part] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT name, offset, length, checksum, segmentId, kind, first, last, frames, continues, contentHash
        FROM replay_segment JOIN replay_pack ON replay_pack.id = pack WHERE replay = ? ORDER BY first, replay_segment.id
        """, arguments: [replay]
    ).map { row in
      KnownReplay.Part(
        part: ReplayPart(
          segmentId: row[4], kind: row[5], first: row[6], last: row[7], frames: row[8], length: row[2],
          continues: row[9]),
        place: ReplayPacks.Place(row), hash: row[10])
    }
  }
}

extension ReplayPacks.Place {
  /// - Parameter row: begins with a pack's name, and the offset, length and checksum in it.
  init?(_ row: Row) {
    guard let name: String = row[0], let pack = BlobName(.replays, name) else { return nil }
    self.init(pack: pack, offset: row[1], length: row[2], checksum: row[3])
  }
}
