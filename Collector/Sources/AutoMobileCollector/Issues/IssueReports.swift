/// One report of an issue.
struct IssueReportRow: Weighed, Sendable {
  var event: Int64
  var timestamp: Int64
  var version: String?
  var sessionId: String
  var userId: String?
  var device: String?
  var screen: String?

  var weight: Int {
    200 + (version?.utf8.count ?? 0) + (userId?.utf8.count ?? 0) + (device?.utf8.count ?? 0)
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("event", event)
    json.member("timestamp", timestamp)
    json.member("version", version)
    json.member("sessionId", sessionId)
    json.member("userId", userId)
    json.member("device", json: device)
    json.member("screen", screen)
  }
}

/// One report with what its issue is about.
struct RecentReportRow: Weighed, Sendable {
  var report: IssueReportRow
  var issue: IssueRow

  var weight: Int { report.weight + issue.weight }

  func write(to json: inout JSONOutput) {
    json.object {
      report.writeMembers(to: &$0)
      $0.member("issue", issue.name)
      $0.member("kind", issue.kind)
      $0.member("title", issue.title)
      $0.member("subtitle", issue.subtitle)
      $0.member("file", issue.file)
      $0.member("line", issue.line)
      $0.member("bundleId", issue.bundleId)
    }
  }
}
