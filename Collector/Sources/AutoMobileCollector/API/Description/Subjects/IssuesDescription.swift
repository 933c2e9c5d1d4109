extension APIDescription {
  static let issues = Subject(
    name: "issues", about: "Crashes, hangs and handled errors, those of one problem counted together.",
    operations: [
      .get(
        "/api/issues", "listIssues", "Issues, the one that was seen last first, or in another order.",
        takes: [
          .search(.issues), kinds,
          .query(
            "status", .choice(IssueStatus.allCases.map(\.rawValue) + ["regressed", "all"]).standard("all"),
            "What people decided. A search that asks for a status says more than `open`."),
          .query("version", .text, "Seen in this version of the app."), .query("bundleId", .text, "Of this app."),
          .query("app", .text, "The same."), .query("assignee", .text, "That this person takes care of."),
          .query("sort", .choice(IssueQuery.Order.allCases.map(\.rawValue)).standard("last"), "The order."),
          .limit(50), .before,
        ],
        answers: [
          .json(.page("issues", of: "Issue", [.has("status", .text, "What of it was heeded.")] + .searched))
        ], refuses: [.badSearch, Refusal(400, "invalid_status", "status is none of these")]),
      .get(
        "/api/reports", "listReports", "Reports of any issue, the last that arrived first.",
        takes: [kinds, .limit(50), .before],
        answers: [.json(.page("reports", of: "RecentReport"))]),
      .get(
        "/api/issues/{id}", "getIssue", "One issue, with its newest reports and its history.", takes: [issue],
        answers: [detail], refuses: [.noIssue]),
    ],
    schemas: [
      .init("Issue", .object(issueMembers)),
      .init("IssueDetail", .object(issueMembers + detailMembers)),
      .init("ChangedIssue", .object([.has("id", .text)])),
      .init("IssueReport", .object(issueReport)),
      .init(
        "RecentReport",
        .object(
          issueReport + [
            .has("issue", .text), .has("kind", kind), .has("title", .text), .has("subtitle", .text.orNull),
            .has("file", .text.orNull), .has("line", .integer.orNull), .has("bundleId", .text.orNull),
          ])),
    ])

  static let issue = Parameter.path("id", .text, "An issue's `id`; also of one that was merged into another.")
  static let detail = Answer.json(.named("IssueDetail"), "The issue as it is now.")
  static let kind = Shape.choice(EventReport.Kind.allCases.map(\.rawValue))

  private static let kinds = Parameter.query("kind", .text, "`crash`, `hang`, `failure`; several with commas.")

  private static let issueMembers: [Member] = [
    .has("id", .text), .has("kind", kind), .has("title", .text, "What happened."), .has("subtitle", .text.orNull),
    .has("message", .text.orNull, "Of its newest report, whole."), .has("cause", .text),
    .has("culprit", .text.orNull, "The function at fault."), .has("file", .text.orNull), .has("line", .integer.orNull),
    .has("bundleId", .text.orNull), .has("status", .choice(IssueStatus.allCases.map(\.rawValue))),
    .may("resolvedIn", .text, "The first version that is said to be without it."),
    .may("resolvedAfter", .text, "The last version that is said to have it."), .may("changedAt", .time),
    .may("changedBy", .author), .may("regressedAt", .time.orNull, "It came back after it was resolved."),
    .may("regressedIn", .text.orNull), .has("assignee", .text.orNull), .has("link", .text.orNull),
    .has("count", .count, "Reports."), .has("sessions", .count), .has("first", .time.orNull),
    .has("last", .time.orNull),
    .has("versions", .map(of: .count), "Reports by the app's version."),
    .has("sample", .integer.orNull, "The event of a report that shows it well."),
    .may("longestMs", .number, "Of hangs, the longest."),
    .has("trend", .list(of: .count), "The last \(IssueQuery.days) times 24 hours, the oldest first."),
    .has("hours", .list(of: .count), "The last \(IssueQuery.hours) hours, the oldest first."),
    .may("match", .named("Match")),
  ]

  private static let detailMembers: [Member] = [
    .has("users", .count, "People who had it, as far as they have names."),
    .has("trackerUrl", .text.orNull, "Opens an issue elsewhere, as the project has it."),
    .has("merged", .list(of: .object([.has("id", .text), .has("title", .text), .has("count", .count)]))),
    .has(
      "history",
      .list(
        of: .object([
          .has("id", .integer), .has("at", .time), .has("by", .author),
          .has("what", .choice(IssueChange.What.allCases.map(\.rawValue))),
          .has("value", .anyObject, "What it was changed to."),
        ])), "The newest first, \(IssueChange.listed) at most."),
    .has("reports", .list(of: .named("IssueReport")), "The newest first, 100 at most."),
  ]

  private static let issueReport: [Member] = [
    .has("event", .integer), .has("timestamp", .time), .has("version", .text.orNull), .has("sessionId", .text),
    .has("userId", .text.orNull), .has("device", .anyObject.orNull), .has("screen", .text.orNull),
  ]
}
