/// What devices say of sessions whose events stay with them.
package enum SummaryTable {
  /// Each word of a device is a row. Of a session in a launch (`about`), the greatest of revision, `final` and events counts; one with
  /// `same_as` only says how that revision ended, and counts when that is the latest.
  package static let summaries = TelemetryTables.ofRecords(
    "summaries",
    [
      TableColumn("about", .text), TableColumn("revision", .int), TableColumn("same_as", .optionalInt),
      TableColumn("started", .int), TableColumn("ended", .int), TableColumn("final", .byte),
      TableColumn("ending", .optionalText),
      // When the device said so, by its clock, before it sent that.
      TableColumn("at", .int),
      TableColumn("events", .int), TableColumn("counts", .text), TableColumn("screens", .text),
      TableColumn("visits", .int),
      // Microseconds.
      TableColumn("launch_time", .optionalInt), TableColumn("launch_kind", .name), TableColumn("slow", .int),
      TableColumn("frozen", .int), TableColumn("requests", .text), TableColumn("errors", .int),
      TableColumn("failures", .int), TableColumn("crashes", .int),
      // What its launch kept then: events, bytes, until when.
      TableColumn("kept", .int), TableColumn("kept_bytes", .int), TableColumn("until", .optionalInt),
      // Bytes; NULL: nobody looked, or there is no limit.
      TableColumn("memory_peak", .optionalInt), TableColumn("memory_left", .optionalInt),
      TableColumn("memory_warnings", .int),
    ],
    order: ["session", "about"])
}
