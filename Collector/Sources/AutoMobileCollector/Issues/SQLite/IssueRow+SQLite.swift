import GRDB

extension IssueRow: FetchableRecord {
  static let columns = """
    issue.id, issue.name, kind, issue.bundleId, cause, culprit, message, file, line, issue.events, issue.first,
    issue.last, sample, longest, status, issue_state.version, changedAt, changedBy, regressedAt, regressedIn,
    assignee, link, template
    """
  static let states = """
     LEFT JOIN issue_state ON issue_state.name = issue.name LEFT JOIN issue_note ON issue_note.name = issue.name
    """
  static let select = "SELECT \(columns) FROM issue\(states)"

  init(row: Row) { self.init(row: row, at: 0) }

  /// - Parameter start: of its columns in the row.
  init(row: Row, at start: Int) {
    self.row = row[start]
    name = row[start + 1]
    kind = row[start + 2]
    bundleId = row[start + 3]
    cause = row[start + 4]
    culprit = row[start + 5]
    message = row[start + 6]
    file = row[start + 7]
    line = row[start + 8]
    events = row[start + 9]
    first = row[start + 10]
    last = row[start + 11]
    sample = row[start + 12]
    longest = row[start + 13]
    let status: String? = row[start + 14]
    state = status.map {
      State(
        status: $0, version: row[start + 15], changedAt: row[start + 16], changedBy: row[start + 17],
        regressedAt: row[start + 18], regressedIn: row[start + 19])
    }
    assignee = row[start + 20]
    link = row[start + 21]
    template = row[start + 22]
  }

  /// With its sums.
  func completed(_ database: Database, now: Int64, allVersions: Bool = false) throws -> IssueRow {
    var result = self
    result.sessions =
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT COUNT(*) FROM issue_session WHERE issue = ?"), arguments: [row]) ?? 0
    result.versions = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT version, n FROM issue_version WHERE issue = ? ORDER BY n DESC LIMIT ?"),
      arguments: [row, allVersions ? 200 : 8]
    ).map { ($0[0], $0[1]) }
    let present = IssueHours.hour(now)
    let hours = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT hour, n FROM issue_hour WHERE issue = ? AND hour > ? AND hour <= ?"),
      arguments: [row, present - IssueHours.span, present]
    ).map { (hour: $0[0] as Int64, count: $0[1] as Int64) }
    let trend = IssueHours(hours, now: present)
    (result.daily, result.hourly) = (trend.daily, trend.hourly)
    return result
  }
}
