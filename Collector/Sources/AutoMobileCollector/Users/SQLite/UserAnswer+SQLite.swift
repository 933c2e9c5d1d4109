import GRDB

extension UserAnswer.Issue {
  init(_ row: Row) {
    name = row[0]
    kind = row[1]
    title = IssueText.title(template: row[2], cause: row[3], culprit: row[4])
    count = row[5]
    sessions = row[6]
    last = row[7]
    status = row[8]
  }
}

extension UserAnswer.Session {
  /// Of its columns in order, behind the number of its row.
  init(_ row: Row) {
    (app, version, device, system) = (row[1], row[2], row[3], row[4])
    tags = row[5]
    (first, last) = (row[6], row[7])
    (events, errors) = (row[8], row[9])
    hasCrashed = row[10]
  }
}
