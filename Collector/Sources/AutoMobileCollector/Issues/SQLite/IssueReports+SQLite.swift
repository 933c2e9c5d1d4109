import GRDB

extension IssueReportRow: FetchableRecord {
  static let columns =
    "event, issue_event.timestamp, issue_event.version, sessionId, userId, device, issue_event.screen"
  static let select =
    "SELECT \(columns) FROM issue_event JOIN session ON session.id = issue_event.session"

  init(row: Row) {
    event = row[0]
    timestamp = row[1]
    version = row[2]
    sessionId = row[3]
    userId = row[4]
    device = row[5]
    screen = row[6]
  }
}

extension RecentReportRow: FetchableRecord {
  static let select = """
    SELECT \(IssueReportRow.columns), \(IssueRow.columns)
    FROM issue_event JOIN session ON session.id = issue_event.session JOIN issue ON issue.id = issue_event.issue
    \(IssueRow.states)
    """

  init(row: Row) {
    report = IssueReportRow(row: row)
    issue = IssueRow(row: row, at: 7)
  }
}
