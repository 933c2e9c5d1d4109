/// Launches: on the shard of the launch's own name, since a launch may be in many sessions.
package enum LaunchTables {
  /// What a launch has counted so far. The latest counts, which is the one that counts more, whenever it came.
  package static let ledgers = TelemetryTable(
    name: "launches",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("launch", .text),
      TableColumn("bundle", .name), TableColumn("sdk", .name), TableColumn("recorded", .int),
      TableColumn("dropped", .text), TableColumn("torn", .int), TableColumn("final", .byte),
      TableColumn("kept", .optionalInt), TableColumn("received", .int, isGrowing: true), TableColumn("day", .day),
      // When it was made, by the device's clock; and by which of two is the later one.
      TableColumn("sent", .optionalInt), TableColumn("later", .int),
    ],
    engine: .keepingLatest, order: ["project", "launch"],
    identity: ["project", "launch"].map { SQLName(trusted: $0) })

  /// What a batch brought of a launch in a session. Least and greatest over all of them are the launch's, and what comes twice
  /// changes nothing.
  package static let parts = TelemetryTable(
    name: "launch_parts",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("launch", .text),
      TableColumn("session", .text),
      // Of the first record.
      TableColumn("id", .int, isGrowing: true),
      // Of its own events; NULL: there are none, another launch told of it.
      TableColumn("first", .optionalInt), TableColumn("last", .optionalInt), TableColumn("bundle", .name),
      TableColumn("sdk", .name), TableColumn("received", .int, isGrowing: true), TableColumn("day", .day),
      // The last that happened: no summary.
      TableColumn("last_event", .optionalInt),
      // Whoever wrote it counted what it speaks of (``EventCountTable``), and wrote down what failed in it: programs of before did not, and
      // say nothing here.
      counted, keeping,
    ],
    engine: .keepingFirst, order: ["project", "launch", "session", "id"],
    identity: ["project", "launch", "session", "id"].map { SQLName(trusted: $0) })

  static let counted = TableColumn("counted", .byte)
  static let keeping = TableColumn("keeping", .byte)

  /// What ended a launch, as a later one told: the first that told it stands. The launch itself may never come.
  package static let ends = TelemetryTable(
    name: "launch_ends",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("launch", .text),
      TableColumn("id", .int, isGrowing: true), TableColumn("verdict", .name), TableColumn("evidence", .text),
      TableColumn("seen", .optionalInt), TableColumn("version", .name),
      // Megabytes: in use when it was last seen, and the most that it could have.
      TableColumn("memory", .optionalInt), TableColumn("memory_limit", .optionalInt),
      TableColumn("received", .int, isGrowing: true), TableColumn("day", .day),
    ],
    engine: .keepingFirst, order: ["project", "launch"],
    identity: ["project", "launch"].map { SQLName(trusted: $0) })
}
