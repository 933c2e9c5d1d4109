import AutoMobileClickHouse

extension HangStatistics {
  private struct Counted: Sendable {
    var version: AppVersion
    var issue: String
    var place: Int64
    var sums: Sums
  }

  /// Sessions are told apart by the numbers that their shards are chosen by. Issues are called by their reports' own names: whoever has
  /// merged them has told the state, and not this store.
  init(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws {
    self.filter = filter
    trend = Array(repeating: 0, count: filter.buckets)
    let parts = filter.parts
    var byIssue: [String: Int64] = [:]
    for counted in try await Self.counted(filter, reading) {
      all.add(counted.sums)
      versions[counted.version].add(counted.sums)
      byIssue[counted.issue, default: 0] += counted.sums.count
      if let index = parts.index(fromEnd: counted.place) { trend[index] += counted.sums.count }
    }
    let most = byIssue.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.listed)
    let titles = try await Self.titles(of: most.map(\.key), reading)
    issues = most.map { (name: $0.key, title: titles[$0.key] ?? "", count: $0.value) }
  }

  private static func counted(_ filter: HealthFilter, _ reading: ClickHouseReading) async throws -> [Counted] {
    var rows = DistinctRows(
      TelemetryTables.reports, ["shard", "fingerprint", "timestamp", "version", "bundle", "duration"])
    rows.range = ["kind = 'hang'"] + filter.rows
    let distinct = reading.distinct(
      rows,
      selecting: [
        "shard", "fingerprint", "timestamp", "ifNull(version, '') AS its_version", "bundle",
        "ifNull(duration, 0.) AS took",
      ])
    let statement = distinct.inside { rows in
      """
      SELECT bundle, its_version, fingerprint, \(filter.place(of: "timestamp")) AS place, count(), sum(took), max(took), \
      groupUniqArray(shard) FROM (\(rows)) GROUP BY bundle, its_version, fingerprint, place
      """
    }
    return try await reading.rows(statement) { row in
      Counted(
        version: AppVersion(try row.string(), try row.string()), issue: try row.string(), place: try row.int(),
        sums: Sums(
          count: Int64(clamping: try row.int(UInt64.self)), total: try row.double(), longest: try row.double(),
          sessions: Set(try row.array { Int64(bitPattern: try $0.int(UInt64.self)) })))
    }
  }

  private static func titles(of issues: [String], _ reading: ClickHouseReading) async throws -> [String: String] {
    guard !issues.isEmpty else { return [:] }
    let names = SQL.joined(issues.map { "\(text: $0)" }, ", ")
    var rows = DistinctRows(TelemetryTables.reports, columns: ["fingerprint", "timestamp", "cause", "culprit"])
    rows.range = ["kind = 'hang'"]
    rows.filter = ["fingerprint IN (\(names))"]
    let statement = reading.distinct(rows, selecting: ["fingerprint", "timestamp", "cause", "culprit"]).inside {
      """
      SELECT fingerprint, argMax(cause, timestamp), argMax(ifNull(culprit, ''), timestamp) FROM (\($0)) \
      GROUP BY fingerprint
      """
    }
    let found = try await reading.rows(statement) { row in
      let name = try row.string()
      let cause = try row.string()
      let culprit = try row.string()
      return (name, IssueText.place(cause: cause, culprit: culprit.isEmpty ? nil : culprit))
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
