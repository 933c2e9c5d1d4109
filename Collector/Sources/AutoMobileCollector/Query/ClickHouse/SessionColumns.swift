import AutoMobileClickHouse

/// What a session adds up to, by names that conditions speak of. A question puts together only what it needs.
///
/// Counts are not among them: nothing that is put twice may count twice, so they are made of the events themselves.
enum SessionColumns {
  static let bundle = SessionTables.value("bundle") ?? "''"

  /// Of the table of sessions.
  private static let merged: [(name: String, alias: SQL, column: String)] = [
    ("said_first", "said_first", "first"), ("said_last", "said_last", "last"),
    ("said_received", "said_received", "received"), ("said_bundle", "said_bundle", "bundle"),
    ("said_version", "said_version", "version"), ("said_user", "said_user", "user"), ("said_tags", "said_tags", "tags"),
    ("said_device", "said_device", "device"), ("said_screen", "said_screen", "screen"),
    ("said_types", "said_types", "types"), ("said_screens", "said_screens", "screens"),
    ("said_launches", "said_launches", "launches"),
  ]

  /// Those of them that are named in what is asked.
  static func named(in parts: [SQL]) -> [SQL] {
    let text = SQL.joined(parts, " ").rendered(parameters: false).text
    return merged.filter { text.contains($0.name) }.map { "\(SessionTables.value($0.column) ?? "''") AS \($0.alias)" }
  }

  static let all: [SQL] = merged.map { "\(SessionTables.value($0.column) ?? "''") AS \($0.alias)" }

  /// Events and errors, each once, by session. Breadcrumbs and what devices tell of sessions are no events.
  static func counts(_ reading: ClickHouseReading, _ range: [SQL] = []) -> SQL {
    reading.copies(
      """
      project, session, uniqExactIf((launch, position), \(isEvent)) AS counted_events, \
      uniqExactIf((launch, position), severity >= 4 AND \(isEvent)) AS counted_errors
      """, of: TelemetryTables.events, range, "GROUP BY project, session"
    ).sql
  }

  static let isEvent: SQL = "type NOT IN ('breadcrumb', 'session_summary')"

  /// How its last launch ended, as a later one told.
  static func ends(_ reading: ClickHouseReading) -> SQL {
    let launches = reading.copies(
      "project, launch, groupUniqArray(session) AS sessions, min(id) AS began", of: TelemetryTables.launchParts, [],
      "GROUP BY project, launch"
    ).sql
    var ends = DistinctRows(TelemetryTables.launchEnds, columns: ["project", "launch", "verdict"])
    ends.range = []
    return """
      SELECT project, session, argMax(verdict, began) AS ended_verdict FROM (SELECT project, launch, sessions, began, verdict \
      FROM (\(launches)) AS begun ANY LEFT JOIN (\(reading.distinct(ends).sql)) AS told USING (project, launch)) \
      ARRAY JOIN sessions AS session GROUP BY project, session
      """
  }

  /// How it ended, where ``ends(_:)`` is joined.
  static let ended: SQL = "if(empty(ended_verdict), 'none', ended_verdict)"
  static let noEnd = "none"

  /// That something came a moment ago, and not all of its launches have ended.
  static func isLive(_ reading: ClickHouseReading, since live: Int64) -> SQL {
    let recent = reading.copies(
      "session", of: TelemetryTables.launchParts,
      ["day >= toDate(\(max(0, live / 86_400_000)))", "received >= \(live)"]
    ).sql
    let parts = reading.copies(
      "DISTINCT project, session, launch", of: TelemetryTables.launchParts, ["session GLOBAL IN (\(recent))"]
    ).sql
    let over = reading.copies("project, launch", of: TelemetryTables.launches, ["final = 1"]).sql
    return """
      (said_received >= \(live) AND (project, session) IN (SELECT project, session FROM (\(parts)) \
      WHERE (project, launch) NOT IN (\(over))))
      """
  }
}
