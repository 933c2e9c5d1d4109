import AutoMobileClickHouse

/// Finds reports that have to be looked at, day by day: what is found of a day has no more copies on it than that day has reports, and
/// the days of which all is done are passed over by their partitions.
///
/// A report that came again on another day lies there as it came, until a row of that day says what was found: so that one of them can
/// be dropped with its day, and the other one is whole.
struct ReportsToLookAt {
  let reading: ClickHouseReading
  /// In one answer.
  var most = 2000

  /// A report as it lies on a day of a shard, under the name of the session in which it came there.
  struct Found: Hashable, Sendable {
    var name: ReportName
    var shard: UInt64
    var session: String
    var received: Int64
    /// The number that its event has there: what goes with the day is not named by the others.
    var id: Int64
  }

  /// The days that have reports, the first first.
  ///
  /// - Parameter since: the first day that is asked for; days since 1970.
  func days(since: Int64) async throws -> [Int64] {
    let statement = reading.copies(
      "DISTINCT day", of: TelemetryTables.reports, ["day >= toDate(\(max(0, since)))"], "ORDER BY day")
    return try await reading.rows(statement) { try $0.day() }
  }

  /// Of a day, those at which nobody has looked, the first that came first.
  ///
  /// A report may have come in two sessions, whose name was not known the first time, so that its copies are on two shards: each is
  /// one of its own here.
  ///
  /// - Parameters:
  ///   - since: what came since then, in milliseconds since 1970.
  ///   - first: the first of their numbers.
  func unseen(on day: Int64, since: Int64 = 0, from first: Int64 = 0) async throws -> [Found] {
    let day: SQL = "day = toDate(\(day))"
    let new = reading.copies(
      "launch", of: TelemetryTables.reports, [day, "revision = 0", "received >= \(since)"], isOnShard: true)
    let statement = reading.copies(
      "project, launch, position, shard, session, min(received), min(id) AS came", of: TelemetryTables.reports,
      [day, "launch IN (\(new.sql))"],
      """
      GROUP BY project, launch, position, shard, session HAVING max(revision) = 0 AND came >= \(first) \
      ORDER BY came LIMIT \(count: most)
      """)
    return try await found(statement)
  }

  /// Of a day, those of which one of these builds could say more.
  func unread(on day: Int64, _ builds: [String], from first: Int64 = 0) async throws -> [Found] {
    guard !builds.isEmpty else { return [] }
    var rows = DistinctRows(
      TelemetryTables.reports, columns: ["project", "launch", "position", "shard", "session", "received", "images"])
    rows.range = ["day = toDate(\(day))", "revision > 0", "id >= \(first)"]
    rows.filter = ["arrayExists(build -> has(\(SQLValue.strings(builds)), build), images)"]
    rows.limit = most
    rows.order = ["id"]
    let selected: [SQL] = ["project", "launch", "position", "shard", "session", "received", "id"]
    return try await found(reading.distinct(rows, selecting: selected))
  }

  private func found(_ statement: SeenSQL) async throws -> [Found] {
    try await reading.rows(statement) { row in
      let name = ReportName(project: try row.string(), launch: try row.string(), position: try row.int())
      return Found(
        name: name, shard: try row.int(), session: try row.string(), received: try row.int(), id: try row.int())
    }
  }

  /// The reports of these names, as they are now.
  func versions(_ names: [ReportName]) async throws -> [ReportName: ReportVersion] {
    guard !names.isEmpty else { return [:] }
    var rows = DistinctRows(TelemetryTables.reports, columns: ReportVersion.columns)
    rows.range = [
      "project IN (\(Self.texts(names.map(\.project))))", "launch IN (\(Self.texts(names.map(\.launch))))",
      ClickHouseTerms.among("position", names.map(\.position)),
    ]
    let found = try await reading.rows(
      reading.distinct(rows, selecting: ReportVersion.columns.map { "\(SQLName($0))" })
    ) { try ReportVersion(&$0) }
    let wanted = Set(names)
    return Dictionary(
      found.filter { wanted.contains($0.name) }.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// Of names of reports, the apps that have looked-at reports called so.
  func apps(_ fingerprints: Set<String>) async throws -> [String: Set<String>] {
    guard !fingerprints.isEmpty else { return [:] }
    let rows = IssueRows(reading, KnownDecisions())
    let statement = rows.statement(rows.rows([], of: fingerprints), []).inside {
      "SELECT DISTINCT bundle, issue FROM (\($0))"
    }
    let found = try await reading.rows(statement) { try IssueKey(&$0) }
    return Dictionary(grouping: found, by: \.name).mapValues { Set($0.map(\.bundle)) }
  }

  private static func texts(_ values: [String]) -> SQL {
    SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
  }
}
