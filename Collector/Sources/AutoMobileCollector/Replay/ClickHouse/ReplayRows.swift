import AutoMobileClickHouse

/// What is known of replays, as rows of ClickHouse's index of them.
enum ReplayRows {
  /// - Parameter later: of rows of one segment the one with the largest counts.
  static func segments(_ segments: [ReplayNews.Segment], _ map: ShardMap, at later: Int64) -> ShardedRows {
    var rows = ShardedRows(TelemetryTables.replaySegments, map)
    for segment in segments {
      guard let place = segment.part.place else { continue }
      let part = segment.part.part
      rows.append(ShardKey.of(project: segment.project, session: segment.replay)) { row in
        row.string(segment.project)
        row.string(segment.replay)
        row.string(part.segmentId)
        row.string(part.kind)
        row.int(part.first)
        row.int(part.last)
        row.int(part.frames)
        row.nullable(part.continues)
        row.nullable(segment.part.hash)
        row.string(place.pack.file)
        row.int(place.offset)
        row.int(place.length)
        row.int(place.checksum)
        row.int(segment.received)
        row.int(later)
        row.day(RecordColumns.day(segment.received))
      }
    }
    return rows
  }

  /// - Parameter place: who tells of them.
  static func replays(
    _ replays: [ReplayNews.Told], by place: String, _ map: ShardMap, at later: Int64
  ) -> ShardedRows {
    var rows = ShardedRows(TelemetryTables.replays, map)
    for replay in replays {
      // Of one that names none, too: its segments are found by its name.
      for session in replay.sessions.isEmpty ? [""] : replay.sessions {
        rows.append(ShardKey.of(project: replay.project, session: session)) { row in
          row.string(replay.project)
          row.string(session)
          row.string(replay.replay)
          row.string(place)
          row.string(replay.bundle ?? "")
          row.nullable(replay.end?.startedAt)
          row.nullable(replay.end?.endedAt)
          row.nullable(replay.end?.backgroundMs)
          row.nullable(replay.end?.reason)
          row.nullable(replay.end?.metrics)
          row.int(replay.received)
          row.int(later)
          row.day(RecordColumns.day(replay.received))
        }
      }
    }
    return rows
  }
}
