/// How many events came and what failed among them, written down by who took them in, so that nobody has to read them to know.
package enum EventCountTable {
  /// What a stretch of a launch has of a session. A stretch is a part of a delivery, in which each position is greater than the one before
  /// it: so nothing is in one twice, and two that do not overlap have nothing in common. What comes again as it was is the same row. From
  /// the first that is not greater on, the rest of a delivery is one stretch with an empty one beside it in the same place, so that they
  /// overlap.
  package static let counts = TelemetryTable(
    name: "event_counts",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("session", .text),
      TableColumn("launch", .text),
      // Of the first record.
      TableColumn("id", .int, isGrowing: true),
      // It is one of breadcrumbs, which have stretches of their own: they may come long after events that stand around them.
      TableColumn("breadcrumbs", .byte),
      // Of the whole stretch, whose sessions may take turns: its positions, and a sum over all that it has.
      TableColumn("least", .int), TableColumn("greatest", .int), TableColumn("whole", .unsigned),
      // Of this session: all that is no breadcrumb, those of them that are no summary, and of these the errors.
      TableColumn("stored", .int), TableColumn("events", .int), TableColumn("errors", .int),
      TableColumn("types", .texts), TableColumn("counts", .ints),
      TableColumn("received", .int, isGrowing: true), TableColumn("day", .day),
    ] + failures,
    engine: .keepingFirst, order: ["project", "session", "launch", "breadcrumbs", "least", "greatest", "whole"],
    identity: ["project", "session", "launch", "breadcrumbs", "least", "greatest", "whole"].map {
      SQLName(trusted: $0)
    }, granularity: 1024)

  /// The first of the errors and the last, in the order of time, one place of each array for one of them: where the event is, and what
  /// it says of itself. Programs of before counted errors and wrote none of this.
  static let failures = [
    TableColumn("failed_ids", .ints), TableColumn("failed_positions", .ints), TableColumn("failed_times", .ints),
    TableColumn("failed_types", .texts), TableColumn("failed_texts", .texts),
  ]
}
