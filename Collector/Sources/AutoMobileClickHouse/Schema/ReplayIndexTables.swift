/// What is known of replays that have left their collectors. Their pictures are blobs.
///
/// A row is written once. What changes later, and what is put into another pack, is a newer row: the one with the largest `later`
/// counts.
package enum ReplayIndexTables {
  /// A replay in a session, as a collector knows it: when several collectors have parts of it, each has a row. On the session's shard;
  /// of a replay that names no session, `session` is empty.
  package static let replays = TelemetryTable(
    name: "replays",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("session", .text),
      TableColumn("replay", .text),
      // Of the collector.
      TableColumn("place", .text), TableColumn("bundle", .name),
      // Of the end, once it was told.
      TableColumn("started", .optionalInt), TableColumn("ended", .optionalInt), TableColumn("background", .optionalInt),
      TableColumn("reason", .optionalText), TableColumn("metrics", .optionalText),
      TableColumn("received", .int), TableColumn("later", .int), TableColumn("day", .day),
    ],
    engine: .keepingLatest, order: ["project", "session", "replay", "place"],
    identity: ["project", "session", "replay", "place"].map { SQLName(trusted: $0) },
    indexes: [("replay", "bloom_filter(0.01)")])

  /// Where a segment is: on the shard of the replay's own name.
  package static let segments = TelemetryTable(
    name: "replay_segments",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("replay", .text),
      TableColumn("segment", .text), TableColumn("kind", .name),
      TableColumn("first", .int), TableColumn("last", .int), TableColumn("frames", .int),
      TableColumn("continues", .optionalText),
      // Of its content before it was packed, when the sender said it.
      TableColumn("hash", .optionalText),
      // Bytes of the pack.
      TableColumn("pack", .text), TableColumn("offset", .int), TableColumn("length", .int),
      TableColumn("checksum", .int),
      TableColumn("received", .int), TableColumn("later", .int), TableColumn("day", .day),
    ],
    engine: .keepingLatest, order: ["project", "replay", "segment"],
    identity: ["project", "replay", "segment"].map { SQLName(trusted: $0) })

  /// Replays that were erased: whoever has something of them removes it.
  package static let removals = TelemetryTable(
    name: "replay_removals",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("replay", .text),
      TableColumn("received", .int), TableColumn("later", .int), TableColumn("day", .day),
    ],
    engine: .keepingLatest, order: ["project", "replay"], identity: ["project", "replay"].map { SQLName(trusted: $0) })
}
