/// The tables of telemetry. Each serves what a protocol of the collector's `Reading/` asks for.
///
/// `shard` is a number made of project and session (``ShardKey``), so that all of a session is on one shard. `day` is the one on which
/// the collector received it, in UTC: a device's clock may say anything, and each day is a partition. Times are milliseconds since
/// 1970, in whole numbers: no date type holds what devices send.
package enum TelemetryTables {
  /// What all rows begin with that an event stands behind: who sent it, its name (launch and position), and when.
  static let record: [TableColumn] = [
    TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("session", .text),
    TableColumn("launch", .text), TableColumn("position", .int, isGrowing: true),
    // Grows in the order of arrival; given by the collector, and the same when it sends again.
    TableColumn("id", .int, isGrowing: true),
    TableColumn("timestamp", .int, isGrowing: true), TableColumn("received", .int, isGrowing: true),
    TableColumn("day", .day),
  ]

  static let identity: [SQLName] = ["project", "launch", "position"].map { SQLName(trusted: $0) }

  static func ofRecords(
    _ name: String, _ columns: [TableColumn], order: [StaticString],
    indexes: [(column: StaticString, kind: StaticString)] = [], engine: TelemetryTable.Engine = .keepingFirst,
    granularity: Int = 8192
  ) -> TelemetryTable {
    TelemetryTable(
      name: name, columns: record + columns, engine: engine,
      order: ["project"] + order + ["launch", "position"], identity: identity, indexes: indexes,
      granularity: granularity)
  }

  /// A session's page reads one range. The outline's columns are beside the payload, which it does not read.
  package static let events = ofRecords(
    "events",
    [
      TableColumn("type", .name), TableColumn("severity", .byte), TableColumn("duration", .optionalInt),
      TableColumn("origin", .int), TableColumn("context", .optionalInt),
      // By which it is found: in lower case, a space before and behind each.
      TableColumn("words", .text), TableColumn("payload", .text),
    ],
    order: ["session", "timestamp"],
    indexes: [("words", "tokenbf_v1(16384, 3, 0)"), ("type", "set(32)"), ("severity", "minmax")], granularity: 1024)

  /// The names of events in the order of arrival, for the live tail and for the newest of all sessions.
  package static let arrivals = ofRecords("arrivals", [TableColumn("type", .name)], order: ["id"])

  /// Requests, in the order of time: their list goes over sessions.
  package static let requests = ofRecords(
    "requests",
    [
      TableColumn("method", .name), TableColumn("host", .name), TableColumn("route", .name),
      TableColumn("path", .text), TableColumn("query", .optionalText), TableColumn("status", .optionalInt),
      // Microseconds; bytes.
      TableColumn("duration", .optionalInt), TableColumn("sent", .optionalInt), TableColumn("got", .optionalInt),
      TableColumn("failed", .byte), TableColumn("error", .optionalText), TableColumn("tracer", .optionalText),
      TableColumn("mock", .optionalText), TableColumn("operation", .optionalText), TableColumn("trace", .text),
      TableColumn("span", .optionalInt), TableColumn("parent", .optionalInt),
      // Of whom it is counted; of the context.
      TableColumn("bundle", .name), TableColumn("version", .name),
    ],
    order: ["timestamp"],
    indexes: [("session", "bloom_filter(0.01)"), ("host", "set(64)"), ("trace", "bloom_filter(0.01)")])

  /// Spans; a begin and an end that were told apart are two rows.
  package static let spans = ofRecords(
    "spans",
    [
      TableColumn("trace", .text), TableColumn("span", .int), TableColumn("parent", .optionalInt),
      TableColumn("duration", .optionalInt), TableColumn("name", .text), TableColumn("kind", .name),
      TableColumn("status", .name), TableColumn("message", .optionalText),
    ],
    order: ["trace", "timestamp"], indexes: [("session", "bloom_filter(0.01)")])

  /// What issues are made of: one row for a crash, a hang or a failure, as it came; and one for each time that somebody has looked at
  /// it since, of which the newest counts. What a look can change (from the fingerprint on, but for kind, version, duration, screen and
  /// bundle) holds of one of them only.
  package static let reports = ofRecords(
    "reports",
    [
      // As nobody has merged anything: who did is the state's to know.
      TableColumn("fingerprint", .text), TableColumn("kind", .name), TableColumn("version", .optionalText),
      TableColumn("duration", .optionalDouble), TableColumn("screen", .optionalText), TableColumn("cause", .text),
      TableColumn("culprit", .optionalText), TableColumn("message", .optionalText),
      TableColumn("file", .optionalText), TableColumn("line", .optionalInt), TableColumn("template", .optionalText),
      // An issue is one app's. Builds whose symbols could say more; the names of the innermost functions, one a line.
      TableColumn("bundle", .name), TableColumn("images", .texts), TableColumn("functions", .text),
      // Numbers of looks, which grow: of the one that wrote this row, and of the first one; 0: nobody has looked at it yet.
      TableColumn("revision", .int), TableColumn("looked", .int),
    ],
    order: ["fingerprint", "timestamp"],
    indexes: [("session", "bloom_filter(0.01)"), ("looked", "minmax")], engine: .keepingNewest)

  /// What health is made of: times of launches, frames of screens, taps that had no effect.
  package static let measurements = ofRecords(
    "measurements",
    [
      TableColumn("kind", .name), TableColumn("version", .name), TableColumn("name", .name),
      // Of a launch: microseconds in all and before main. Of a screen: milliseconds, frames, slow and frozen ones, the worst
      // in microseconds. Of a tap: the screen, and what was tapped.
      TableColumn("total", .int), TableColumn("part", .optionalInt), TableColumn("frames", .int),
      TableColumn("slow", .int), TableColumn("frozen", .int), TableColumn("worst", .int),
      TableColumn("bundle", .name), TableColumn("element", .text),
    ],
    order: ["kind", "timestamp"])

  /// Records that could not be read. On the shard of their launch's own name: nobody knows their session.
  package static let quarantine = ofRecords(
    "quarantine",
    [
      TableColumn("kind", .byte), TableColumn("reason", .text), TableColumn("length", .int),
      TableColumn("payload", .text),
    ],
    order: ["id"])

  /// What contexts say. Their session's shard has them, so an event's is beside it.
  package static let contexts = TelemetryTable(
    name: "contexts",
    columns: [
      TableColumn("shard", .unsigned), TableColumn("project", .name), TableColumn("launch", .text),
      TableColumn("context", .int), TableColumn("session", .text), TableColumn("user", .text),
      TableColumn("version", .name), TableColumn("tags", .map), TableColumn("json", .text),
      TableColumn("received", .int, isGrowing: true), TableColumn("day", .day),
      // Of its record: of two, the later one is the launch's current one. Those that events carry have none, and a number below 0.
      TableColumn("position", .int), TableColumn("bundle", .name),
    ],
    engine: .keepingLast, order: ["project", "launch", "context"],
    identity: ["project", "launch", "context"].map { SQLName(trusted: $0) })

  package static let launches = LaunchTables.ledgers
  package static let launchParts = LaunchTables.parts
  package static let launchEnds = LaunchTables.ends
  package static let summaries = SummaryTable.summaries
  package static let sessionParts = SessionTables.parts
  package static let replays = ReplayIndexTables.replays
  package static let replaySegments = ReplayIndexTables.segments
  package static let replayRemovals = ReplayIndexTables.removals
  package static let sessionImports = SessionImportTable.imports
  package static let eventCounts = EventCountTable.counts

  package static let all = [
    events, arrivals, requests, spans, reports, measurements, quarantine, contexts, launches, launchParts,
    launchEnds, summaries, sessionParts, replays, replaySegments, replayRemovals,
    sessionImports, eventCounts,
  ]
}
