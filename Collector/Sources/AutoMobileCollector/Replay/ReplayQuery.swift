import Foundation
import GRDB

/// Reads what is known of replays.
struct ReplayQuery: Sendable {
  let store: EventStore
  /// Replays of one session.
  static let most = 100

  /// One replay, inside of the transaction that reads it.
  struct Replay {
    var row: Row
    var sessions: [String]
    var segments: [ReplayPart.Whole]
    var faults: [Row]
  }

  /// The replays of a session of the telemetry, in the order of time.
  func replays(_ scope: ReadScope, of session: String) async throws -> JSONOutput {
    try await store.read(scope) { database in
      var json = JSONOutput()
      let replays = try Self.replays(
        "replay.id IN (\(ReplayTables.ofSessionNamed))", session, database)
      json.object { $0.array("replays") { for replay in replays { replay.write(to: &$0) } } }
      return json
    }
  }

  /// Nil when there is none of this name.
  func replay(_ scope: ReadScope, _ name: String) async throws -> JSONOutput? {
    try await store.read(scope) { database in
      guard let replay = try Self.replays("replayId = ?", name, database).first else { return nil }
      var json = JSONOutput()
      replay.write(to: &json)
      return json
    }
  }

  private static func replays(_ condition: String, _ argument: String, _ database: Database) throws -> [Replay] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, replayId, bundleId, first, last, frames, bytes, startedAt, endedAt, backgroundMs, endReason, metrics
        FROM replay WHERE \(condition) ORDER BY first LIMIT \(most)
        """, arguments: [argument]
    ).map { row in
      Replay(
        row: row,
        sessions: try String.fetchAll(
          database,
          sql: """
            SELECT IFNULL(session.sessionId, replay_session.sessionId) FROM replay_session
              JOIN replay ON replay.id = replay
              LEFT JOIN session ON session.owner = replay.owner AND session.given = replay_session.sessionId
            WHERE replay = ?
            """, arguments: [row[0] as Int64]),
        segments: ReplayPart.joined(
          try ReplayPart.fetchAll(
            database,
            sql: """
              SELECT segmentId, kind, first, last, frames, length, continues FROM replay_segment
              WHERE replay = ? AND pack IS NOT NULL ORDER BY first, id
              """, arguments: [row[0] as Int64])),
        faults: try Row.fetchAll(
          database,
          sql: """
            SELECT incidentId, timestamp, category, identifier, detail, frames, context FROM replay_fault
            WHERE replay = ? ORDER BY timestamp LIMIT 100
            """, arguments: [row[0] as Int64]))
    }
  }

  /// Where the parts of a segment of a replay are, the first first, and of what kind they are; nil when there is none.
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
}

extension ReplayPacks.Place {
  /// - Parameter row: begins with a pack's name, and the offset, length and checksum in it.
  init?(_ row: Row) {
    guard let name: String = row[0], let pack = BlobName(.replays, name) else { return nil }
    self.init(pack: pack, offset: row[1], length: row[2], checksum: row[3])
  }
}

extension ReplayQuery.Replay {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("replayId", row["replayId"] as String)
      $0.member("bundleId", row["bundleId"] as String?)
      for name in ["first", "last", "frames", "bytes", "startedAt", "endedAt", "backgroundMs"] {
        $0.member(name, row[name] as Int64?)
      }
      $0.member("endReason", row["endReason"] as String?)
      $0.member("metrics", json: row["metrics"] as String?)
      $0.array("telemetrySessionIds") { for session in sessions { $0.string(session) } }
      $0.array("segments") {
        for segment in segments {
          $0.object {
            $0.member("id", segment.head.segmentId)
            $0.member("kind", segment.head.kind)
            $0.member("first", segment.head.first)
            $0.member("last", segment.last)
            $0.member("frames", segment.frames)
            $0.member("bytes", segment.bytes)
            $0.member("parts", Int64(segment.parts))
          }
        }
      }
      $0.array("faults") {
        for fault in faults {
          $0.object {
            $0.member("incidentId", fault["incidentId"] as String)
            $0.member("timestamp", fault["timestamp"] as Int64)
            for name in ["category", "identifier", "detail"] { $0.member(name, fault[name] as String) }
            $0.member("frames", json: fault["frames"] as String)
            $0.member("context", json: fault["context"] as String)
          }
        }
      }
    }
  }
}
