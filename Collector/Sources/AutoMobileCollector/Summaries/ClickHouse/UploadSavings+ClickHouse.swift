import AutoMobileClickHouse

extension UploadSavings {
  /// What devices keep is told by ledgers and by summaries: of a launch, the last word counts, by the device's clock.
  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    self.filter = filter
    var sums: [Key: Week] = [:]
    func add(_ app: String, at time: Int64?, _ change: (inout Week) -> Void) {
      guard let time, time >= filter.from, time < filter.to, filter.bundleId == nil || filter.bundleId == app else {
        return
      }
      let offset = time - Self.monday
      let start = Self.monday + (offset >= 0 ? offset / Self.week : (offset - Self.week + 1) / Self.week) * Self.week
      change(&sums[Key(app: app, week: start), default: Week()])
    }
    for launch in try await Self.sent(filter, reading) {
      add(launch.app, at: launch.time) {
        $0.launches += 1
        $0.sentEvents &+= launch.events
        $0.sentBytes &+= launch.bytes
      }
    }
    for launch in try await Self.kept(filter, reading) {
      let events = min(launch.events, Self.mostEvents)
      guard events > 0, launch.told > 0 else { continue }
      // Of what was told, a part may have been sent since. What went there for its age was never sent.
      let room = Int64(min(Double(launch.bytes), Double(launch.bytes) * Double(events) / Double(launch.told)).rounded())
      add(launch.app, at: launch.time) {
        $0.keptEvents &+= events
        $0.keptBytes &+= room
        $0.kept.append((events, room))
      }
    }
    let sorted = sums.map { (app: $0.key.app, week: $0.key.week, sums: $0.value) }
      .sorted { ($0.week, $1.app) > ($1.week, $0.app) }
    rows = Array(sorted.prefix(Self.mostRows))
    isPartial = sorted.count > Self.mostRows
  }

  private struct Launch: Sendable {
    var app: String
    var time: Int64
    var events: Int64
    var bytes: Int64
    var told: Int64 = 0
  }

  /// What came out of a file was sent by nobody.
  private static let isSent: SQL = "NOT startsWith(project, 'file ')"

  /// When launches were, and whose.
  private static func launches(_ reading: ClickHouseReading) -> SQL {
    reading.copies(
      """
      project, launch, argMaxIf(bundle, id, notEmpty(bundle)) AS its_bundle, ifNull(min(first), 0) AS began, \
      ifNull(max(last), 0) AS its_last
      """, of: TelemetryTables.launchParts, [isSent], "GROUP BY project, launch"
    ).sql
  }

  private static func sent(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Launch] {
    let launches = launches(reading)
    // A launch is in several sessions, and these on several shards.
    let events = reading.copies(
      "project, launch, position, any(length(payload)) AS size", of: TelemetryTables.events,
      [isSent, "type != \(text: EventTypes.breadcrumb)"], "GROUP BY project, launch, position")
    let statement = events.inside { events in
      """
      SELECT its_bundle, began, toInt64(arrived), toInt64(bytes) FROM (SELECT project, launch, count() AS arrived, \
      sum(size) AS bytes FROM (\(events)) GROUP BY project, launch) AS sent ANY INNER JOIN (\(launches)) AS begun \
      USING (project, launch) WHERE its_last >= \(filter.from) AND bytes > 0
      """
    }
    return try await reading.rows(statement) {
      Launch(app: try $0.string(), time: try $0.int(), events: try $0.int(), bytes: try $0.int())
    }
  }

  private static func kept(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Launch] {
    let columns: [SQLName] = [
      "project", "session", "about", "revision", "id", "at", "kept", "kept_bytes", "started", "received",
    ]
    func words(_ range: [SQL], _ selected: [SQL]) -> SQL {
      var rows = DistinctRows(TelemetryTables.summaries, columns + ["same_as"])
      rows.range = range + [isSent]
      return reading.distinct(rows, selecting: selected).sql
    }
    let summaries = words(
      ["isNull(same_as)"],
      ["project", "about", "at", "id", "kept", "kept_bytes", "started", "received"])
    // Of which launch it speaks, the summary says that it shares everything else with.
    let ends = words(
      ["isNotNull(same_as)"],
      ["project", "session", "assumeNotNull(same_as) AS revision", "at", "id", "kept", "kept_bytes", "received"])
    let shared = words(["isNull(same_as)"], ["project", "session", "revision", "about", "started"])
    let all: SQL = """
      SELECT project, about, at, id, kept, kept_bytes, started, received FROM (\(summaries)) UNION ALL \
      SELECT project, about, at, id, kept, kept_bytes, started, received FROM (\(ends)) AS ending ANY INNER JOIN (\(shared)) AS shared \
      USING (project, session, revision)
      """
    let told: SQL = """
      SELECT project, about AS launch, max(at) AS told_at, argMax(kept, (at, id)) AS told_kept, argMax(kept_bytes, (at, id)) AS told_bytes, \
      min(started) AS told_start, max(received) AS told_received FROM (\(all)) GROUP BY project, launch
      """
    var ledgers = DistinctRows(
      TelemetryTables.launches, ["project", "launch", "kept", "sent", "received", "dropped", "bundle", "final"])
    ledgers.range = [isSent]
    let said = reading.distinct(
      ledgers,
      selecting: [
        "project", "launch", "ifNull(kept, 0) AS said_kept", "toUInt8(isNotNull(kept)) AS has_said",
        "final AS said_final",
        "least(ifNull(sent, received), received) AS said_at",
        "received AS said_received", "toInt64(visitParamExtractInt(dropped, 'expired')) AS expired",
        "bundle AS said_bundle",
      ])
    let statement = said.inside { said in
      """
      SELECT if(notEmpty(said_bundle), said_bundle, substring(project, 5)), told_start, \
      multiIf(said_received = 0 OR said_at < told_at, told_kept, said_final = 1, toInt64(0), has_said = 1, said_kept, \
      told_kept) + expired, told_bytes, told_kept \
      FROM (\(told)) AS told ANY LEFT JOIN (\(said)) AS said USING (project, launch) \
      WHERE told_kept > 0 AND greatest(told_received, said_received) >= \(filter.from)
      """
    }
    return try await reading.rows(statement) {
      Launch(
        app: try $0.string(), time: try $0.int(), events: try $0.int(), bytes: try $0.int(), told: try $0.int())
    }
  }
}
