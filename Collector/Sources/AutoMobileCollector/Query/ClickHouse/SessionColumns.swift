import AutoMobileClickHouse

/// What a session adds up to, by names that conditions speak of. A question puts together only what it needs.
///
/// Counts are not among them: nothing that is put twice may count twice. ``CountedStretches`` has them.
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
  static func counts(_ reading: ClickHouseReading) async throws -> SQL {
    let events = try await CountedStretches(reading: reading).bySession([.events, .errors]).sql
    return """
      SELECT project, session, sum(events) AS counted_events, sum(errors) AS counted_errors \
      FROM (\(events)) GROUP BY project, session
      """
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

  /// How it ended, where ``ends(_:)`` and ``told(_:_:)`` are joined. A summary speaks of the session, a verdict of its launch, which may
  /// have had others after it.
  static let ended: SQL = """
    multiIf(notEmpty(told_end) AND told_end != 'unknown', told_end, notEmpty(ended_verdict), ended_verdict, \
    notEmpty(told_end), told_end, 'none')
    """
  /// What is here of a session, or what its device has said of it: where ``counts(_:)`` and ``told(_:_:)`` are joined.
  static let events: SQL = "greatest(toInt64(counted_events), toInt64(told_events))"
  static let errors: SQL = "greatest(toInt64(counted_errors), toInt64(told_errors))"

  /// What devices have said of sessions, all of their launches together. That another session began says nothing about how its launch
  /// ended, so one that goes on in another launch has not ended (`told_final`), and no end (`told_end`).
  ///
  /// 18.16 sees a column of a join only where it stands outside of a lambda, too.
  static func told(_ reading: ClickHouseReading, _ range: [SQL] = []) -> SQL {
    var concerned = range
    if range.isEmpty {
      concerned = ["session GLOBAL IN (\(reading.copies("session", of: TelemetryTables.summaries, []).sql))"]
    }
    let own = reading.copies(
      "project, session, launch, ifNull(max(last_event), 0) AS last_own", of: TelemetryTables.launchParts, concerned,
      "GROUP BY project, session, launch"
    ).sql
    let words = reading.toldSessions(range).inside { words in
      """
      SELECT project, session, sum(events) AS told_events, sum(failures) AS told_errors, sum(crashes) AS told_crashes, \
      max(visitParamExtractInt(counts, 'hang')) AS told_hangs, \
      max(visitParamExtractInt(requests, '4xx') + visitParamExtractInt(requests, '5xx')) AS told_failed, \
      argMax(is_final, ended) AS last_final, argMax(ending, ended) AS last_ending, argMax(about, ended) AS last_about, \
      max(ended) AS last_ended FROM (\(words)) GROUP BY project, session
      """
    }.sql
    return """
      SELECT project, session, told_events, told_errors, told_crashes, told_hangs, told_failed, \
      toUInt8(last_final = 1 AND goes_on = 0) AS told_final, if(goes_on OR last_ending = 'ended', '', last_ending) AS told_end \
      FROM (SELECT project, session, told_events, told_errors, told_crashes, told_hangs, told_failed, last_final, last_ending, \
      last_about = last_about AND last_ended = last_ended \
      AND arrayExists((name, time) -> name != last_about AND time > last_ended, own_launches, own_lasts) AS goes_on \
      FROM (\(words)) AS said ANY LEFT JOIN (SELECT project, session, groupArray(launch) AS own_launches, \
      groupArray(last_own) AS own_lasts FROM (\(own)) GROUP BY project, session) AS launched USING (project, session))
      """
  }
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
