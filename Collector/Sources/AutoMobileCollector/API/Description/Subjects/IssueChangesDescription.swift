extension APIDescription {
  static let issueChanges = Subject(
    name: "issue changes",
    about: "What people decide about issues. Each answers with the issue as it is then, or with its `id` alone.",
    operations: [
      .put(
        "/api/issues/{id}/status", "setIssueStatus", "Resolves, ignores or opens an issue.", takes: [issue, .author],
        sends: body(
          [
            .has("status", .choice(IssueStatus.allCases.map(\.rawValue))),
            .may("version", version, "Resolved: the first version that is without it."),
            .may("after", version, "Resolved: the last version that has it."),
          ], ["status": "resolved", "version": "2.4"]), answers: [changed], refuses: [.noIssue]),
      .post(
        "/api/issues/{id}/undo", "undoIssueStatus", "Takes the last decision back.", takes: [issue, .author],
        answers: [changed],
        refuses: [.noIssue, Refusal(409, "nothing_to_undo", "there is none, or it was taken back already")]),
      .put(
        "/api/issues/{id}/assignee", "setIssueAssignee", "Who takes care of it; null: nobody.",
        takes: [issue, .author],
        sends: body([.has("assignee", .text.most(IssueRoutes.longestName).orNull)], ["assignee": "Lea"]),
        answers: [changed], refuses: [.noIssue]),
      .put(
        "/api/issues/{id}/link", "setIssueLink", "Where it is tracked elsewhere; null: nowhere.",
        takes: [issue, .author],
        sends: body(
          [.has("link", .text.most(IssueRoutes.longestLink).orNull)], ["link": "https://example.com/issues/12"]),
        answers: [changed], refuses: [.noIssue, Refusal(400, "invalid_link", "it begins with https:// or http://")]),
      .post(
        "/api/issues/{id}/comments", "commentOnIssue", "Adds a comment.", takes: [issue, .author],
        sends: body([.has("text", .text.least(1).most(IssueRoutes.longestComment))], ["text": "Seen on iPads only."]),
        answers: [changed], refuses: [.noIssue, .tooMany]),
      .post(
        "/api/issues/{id}/merge", "mergeIssues", "Makes other issues part of this one.",
        "Of one app and one kind only.", takes: [issue, .author],
        sends: body(
          [.has("issues", .list(of: .text).least(1).most(IssueRoutes.mostMerged))], ["issues": ["4f1c2a"]]),
        answers: [changed],
        refuses: [
          .noIssue, .tooMany, Refusal(400, "invalid_issues", "there is no issue but this one among them"),
          Refusal(400, "not_alike", "one has another app or kind"),
          Refusal(409, "merged_elsewhere", "it is merged into an issue of which this collector has no reports"),
          Refusal(409, "merged_meanwhile", "others merge these again and again at this moment"),
        ]),
      .post(
        "/api/issues/{id}/split", "splitIssue", "Makes a part an issue of its own again.", takes: [issue, .author],
        sends: body([.has("issue", .text, "An `id` of `merged`.")], ["issue": "4f1c2a"]), answers: [changed],
        refuses: [.noIssue, .unknown("no_part", "it is not merged into this one")]),
    ])

  private static let changed = Answer.json(
    .either([.named("IssueDetail"), .named("ChangedIssue")]),
    "The issue as it is now; its `id` alone when the change is kept, and the issue cannot be read at this moment.")
  private static let version = Shape.text.least(1).most(IssueRoutes.longestVersion).orNull

  private static func body(_ members: [Member], _ example: DocumentValue) -> Body {
    .json(.object(members), most: IssueRoutes.longestBody, example: example)
  }
}
