import AutoMobileClickHouse

/// Segments as ClickHouse's index of replays has them, for who reads it for the collector itself.
enum ReplayIndexRows {
  /// - Parameters:
  ///   - range: what holds of all copies of a row.
  ///   - filter: what holds of the one that counts.
  static func read(
    _ range: [SQL], filter: [SQL] = [], _ cluster: ClickHouseCluster
  ) async throws -> [ReplayNews.Segment] {
    var rows = DistinctRows(
      TelemetryTables.replaySegments,
      columns: [
        "project", "replay", "segment", "kind", "first", "last", "frames", "continues", "hash", "pack", "offset",
        "length", "checksum", "received",
      ])
    (rows.range, rows.filter) = (range, filter)
    let statement = rows.sql(
      cluster,
      selecting: [
        "project", "replay", "segment", "kind", "first", "last", "frames", "ifNull(continues, '')", "ifNull(hash, '')",
        "pack", "offset", "length", "checksum", "received",
      ])
    return try await cluster.client.rows(statement) { row in
      let (project, replay, segment) = (try row.string(), try row.string(), try row.string())
      let (kind, first, last) = (try row.string(), try row.int(Int64.self), try row.int(Int64.self))
      let frames = try row.int(Int64.self)
      let (continues, hash, pack) = (try row.string(), try row.string(), try row.string())
      let (offset, length) = (try row.int(Int64.self), try row.int(Int64.self))
      let (checksum, received) = (try row.int(Int64.self), try row.int(Int64.self))
      let part = ReplayPart(
        segmentId: segment, kind: kind, first: first, last: last, frames: frames, length: length,
        continues: continues.isEmpty ? nil : continues)
      let place = BlobName(.replays, pack).map {
        ReplayPacks.Place(pack: $0, offset: offset, length: length, checksum: checksum)
      }
      return ReplayNews.Segment(
        project: project, replay: replay, part: .init(part: part, place: place, hash: hash.isEmpty ? nil : hash),
        received: received)
    }
  }
}
