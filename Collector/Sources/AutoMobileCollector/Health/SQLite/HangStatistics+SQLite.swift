import GRDB

extension HangStatistics {
  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    trend = Array(repeating: 0, count: filter.buckets)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT issue_event.timestamp, session, duration, issue.bundleId, version, issue
        FROM issue_event JOIN issue ON issue.id = issue_event.issue
        WHERE issue_event.timestamp >= ? AND issue_event.timestamp < ? AND kind = 'hang'
        """, arguments: [filter.from, filter.to])
    var byIssue: [Int64: Int64] = [:]
    while let row = try rows.next() {
      let version = AppVersion(row[3], row[4])
      guard filter.admits(app: row[3], version: row[4]) else { continue }
      Self.add(row, to: &all)
      Self.add(row, to: &versions[version])
      byIssue[row[5], default: 0] += 1
      if let index = filter.index(of: row[0]) { trend[index] += 1 }
    }
    for (issue, count) in byIssue.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(Self.listed) {
      let row = try Row.fetchOne(
        database, sql: "SELECT name, cause, culprit FROM issue WHERE id = ?", arguments: [issue])
      if let row { issues.append((row[0], IssueText.place(cause: row[1], culprit: row[2]), count)) }
    }
  }

  private static func add(_ row: Row, to sums: inout Sums) {
    let duration: Double = row[2] ?? 0
    sums.count += 1
    sums.total += duration
    sums.longest = max(sums.longest, duration)
    sums.sessions.insert(row[1])
  }
}
