/// Which sessions were opened from files, and what the files say of themselves. Of a file that two collectors took in at one time the
/// later one counts.
package enum SessionImportTable {
  package static let imports = TelemetryTable(
    name: "session_imports",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("session", .text),
      // By whose clock: of the collector that wrote the file. Its version.
      TableColumn("exported", .optionalInt), TableColumn("collector", .optionalText),
      // When it was taken in.
      TableColumn("received", .int), TableColumn("later", .int), TableColumn("day", .day),
    ],
    engine: .keepingLatest, order: ["project", "session"],
    identity: ["project", "session"].map { SQLName(trusted: $0) })
}
