import AutoMobileClickHouse

/// What there is to say of issues, by their names.
extension IssueRows {
  /// As the newest report of each says it; of those that were merged into it, none, as long as it has one of its own. Without sums.
  func described(_ issues: [String]) async throws -> [IssueRow] {
    guard !issues.isEmpty else { return [] }
    let rows = rows(["kind", "cause", "culprit", "message", "file", "line", "template", "timestamp"], of: issues)
    let statement = self.statement(
      rows, ["fingerprint", "kind", "cause", "culprit", "message", "file", "line", "template", "timestamp", "id"]
    ).inside {
      """
      SELECT bundle, issue, id, kind, cause, culprit, message, file, line, template FROM (\($0)) \
      ORDER BY issue = fingerprint DESC, timestamp DESC, id DESC LIMIT 1 BY bundle, issue
      """
    }
    return try await reading.rows(statement) { row in
      let key = try IssueKey(&row)
      let sample = try row.int(Int64.self)
      var issue = IssueRow(
        row: 0, name: key.name, kind: try row.string(), bundleId: key.bundle.isEmpty ? nil : key.bundle,
        cause: try row.string(), culprit: try row.nullable { try $0.string() },
        message: try row.nullable { try $0.string() }, file: try row.nullable { try $0.string() },
        line: try row.nullable { try $0.int() }, template: try row.nullable { try $0.string() }, events: 0)
      issue.sample = sample
      return issue
    }.map { row in
      var row = row
      decisions.add(to: &row)
      return row
    }
  }

  /// With their sums.
  func completed(_ issues: [String], now: Int64, allVersions: Bool = false) async throws -> [IssueRow] {
    var rows = try await described(issues)
    let sums = try await sums(issues)
    let versions = try await versions(issues, allVersions ? 200 : 8)
    let present = IssueHours.hour(now)
    let hours = try await hours(issues, present)
    for index in rows.indices {
      let name = rows[index].name
      if let sums = sums[name] {
        (rows[index].row, rows[index].events) = (sums.row, sums.events)
        (rows[index].first, rows[index].last) = (sums.first, sums.last)
        (rows[index].sessions, rows[index].longest) = (sums.sessions, sums.longest)
      }
      rows[index].versions = versions[name] ?? []
      let trend = IssueHours(hours[name] ?? [], now: present)
      (rows[index].daily, rows[index].hourly) = (trend.daily, trend.hourly)
    }
    return rows
  }

  // MARK: Sums

  struct Sums: Sendable {
    /// The first of its reports that arrived: its place among issues that are equal otherwise.
    var row: Int64
    var events: Int64
    var first: Int64
    var last: Int64
    var sessions: Int64
    var longest: Double?
  }

  private func sums(_ issues: [String]) async throws -> [String: Sums] {
    guard !issues.isEmpty else { return [:] }
    let statement = statement(
      rows(["timestamp", "shard", "duration"], of: issues), ["timestamp", "shard", "duration", "id"]
    ).inside {
      """
      SELECT issue, min(id), toInt64(count()), min(timestamp), max(timestamp), toInt64(uniqExact(shard)), \
      toUInt8(count(duration) > 0), max(ifNull(duration, 0.)) FROM (\($0)) GROUP BY issue
      """
    }
    let found = try await reading.rows(statement) { row in
      let name = try row.string()
      var sums = Sums(
        row: try row.int(), events: try row.int(), first: try row.int(), last: try row.int(), sessions: try row.int())
      let isLong = try row.bool()
      let longest = try row.double()
      if isLong { sums.longest = longest }
      return (name, sums)
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  private func versions(
    _ issues: [String], _ most: Int
  ) async throws -> [String: [(version: String, count: Int64)]] {
    guard !issues.isEmpty else { return [:] }
    let statement = statement(rows(["version"], of: issues), ["version AS said"]).inside {
      """
      SELECT issue, assumeNotNull(said) AS told, toInt64(count()) AS n FROM (\($0)) WHERE isNotNull(said) \
      GROUP BY issue, told ORDER BY n DESC, told LIMIT \(count: most) BY issue
      """
    }
    let found = try await reading.rows(statement) { (try $0.string(), try $0.string(), try $0.int(Int64.self)) }
    return Dictionary(grouping: found, by: \.0).mapValues { $0.map { (version: $0.1, count: $0.2) } }
  }

  private func hours(_ issues: [String], _ present: Int64) async throws -> [String: [(hour: Int64, count: Int64)]] {
    guard !issues.isEmpty else { return [:] }
    let length = IssueHours.milliseconds
    var rows = rows(["timestamp"], of: issues)
    rows.range += ["timestamp >= \((present - IssueHours.span + 1) * length)", "timestamp < \((present + 1) * length)"]
    let statement = statement(rows, ["timestamp"]).inside {
      "SELECT issue, intDiv(timestamp, \(length)) AS hour, toInt64(count()) FROM (\($0)) GROUP BY issue, hour"
    }
    let found = try await reading.rows(statement) {
      (try $0.string(), try $0.int(Int64.self), try $0.int(Int64.self))
    }
    return Dictionary(grouping: found, by: \.0).mapValues { $0.map { (hour: $0.1, count: $0.2) } }
  }
}
