import GRDB

extension ReplayQuery {
  /// A replay with all that it takes to send it again.
  struct Whole: Sendable {
    var segments: [Segment]
    /// As an app would tell it; nil while it goes on.
    var end: [String: JSONTree]?

    struct Segment: Sendable {
      var place: ReplayPacks.Place?
      var announcement: [String: JSONTree]
    }
  }

  func whole(_ scope: ReadScope, of session: String) async throws -> [Whole] {
    try await store.read(scope, .heavy) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, given, startedAt, endedAt, backgroundMs, endReason, metrics FROM replay
          WHERE id IN (\(ReplayTables.ofSessionNamed)) ORDER BY first LIMIT \(Self.most)
          """, arguments: [session]
      ).map { replay in
        let name: String = replay[1]
        // The other sessions of the replay are not in the file.
        let sessions = JSONTree.array([.string(session)])
        let segments = try Row.fetchAll(
          database,
          sql: """
            SELECT name, offset, length, checksum, segmentId, kind, first, last, frames, continues, contentHash
            FROM replay_segment JOIN replay_pack ON replay_pack.id = pack
            WHERE replay = ? ORDER BY first, replay_segment.id
            """, arguments: [replay[0] as Int64]
        ).map { row in
          Whole.Segment(
            place: ReplayPacks.Place(row),
            announcement: [
              "sessionId": .string(name), "segmentId": .string(row[4]), "kind": .string(row[5]),
              "startTime": .integer(row[6]), "endTime": .integer(row[7]), "frameCount": .integer(row[8]),
              "sizeBytes": .integer(row[2]), "telemetrySessionIds": sessions,
              "continues": (row[9] as String?).map(JSONTree.string) ?? .null,
              "contentHash": (row[10] as String?).map(JSONTree.string) ?? .null,
            ])
        }
        var end: [String: JSONTree]?
        if let endedAt: Int64 = replay[3] {
          end = [
            "sessionId": .string(name), "telemetrySessionIds": sessions, "endedAt": .integer(endedAt),
            "totalBackgroundTimeMs": .integer(replay[4] ?? 0), "endReason": .string(replay[5] ?? "unknown"),
          ]
          if let startedAt: Int64 = replay[2] { end?["startedAt"] = .integer(startedAt) }
        }
        return Whole(segments: segments, end: end)
      }
    }
  }
}
