/// One issue with its reports, its history, and what was merged into it.
struct IssueAnswer: Sendable {
  var issue: IssueRow
  var reports: [IssueReportRow]
  /// The newest first.
  var history: [IssueChange]
  var merged: [IssueMerges.Part]
  /// Of sessions whose user is known.
  var users: Int64
  /// Of the app's project; nil when it has none.
  var tracker: TrackerTemplate?

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    issue.writeMembers(to: &json)
    json.member("users", users)
    json.member("trackerUrl", tracker?.filled(for: issue))
    json.array("merged") { for part in merged { part.write(to: &$0) } }
    json.array("history") { for change in history { change.write(to: &$0) } }
    json.array("reports") { for report in reports { $0.object { report.writeMembers(to: &$0) } } }
  }
}
