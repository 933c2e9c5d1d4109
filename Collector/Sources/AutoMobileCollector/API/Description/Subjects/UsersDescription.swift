extension APIDescription {
  static let users = Subject(
    name: "users", about: "People, by the names that apps gave them.",
    operations: [
      .get(
        "/api/users/{id}", "getUser", "One person: what their sessions add up to.",
        "Of the newest \(UserAnswer.most) sessions.", takes: [user, app], answers: [.json(.named("User"))],
        refuses: [.unknown("no_user", "no session has this user")]),
      .get(
        "/api/users/{id}/sessions", "listSessionsOfUser", "One person's sessions, the newest first.",
        takes: [user, app, .limit(50), .before], answers: [.json(.page("sessions", of: "Session"))]),
    ],
    schemas: [
      .init(
        "User",
        .object([
          .has("userId", .text), .has("sessions", .count), .has("crashed", .count, "Sessions with a crash."),
          .has("events", .count), .has("errors", .count), .has("first", .time.orNull), .has("last", .time.orNull),
          .may("partial", .flag, "There is more than what was added up."),
          .may("issueSessions", .count, "Of how many sessions the issues are, when all would have taken too long."),
          .has("apps", traits), .has("versions", traits), .has("devices", traits), .has("systems", traits),
          .has("tags", traits),
          .has(
            "issues",
            .list(
              of: .object([
                .has("id", .text), .has("kind", kind), .has("title", .text), .has("count", .count),
                .has("sessions", .count), .has("last", .time),
                .has("status", .choice(IssueStatus.allCases.map(\.rawValue))),
              ]))),
        ]))
    ])

  private static let user = Parameter.path("id", .text, "The name that the app gave.")
  private static let app = Parameter.query("app", .text, "Only of this app: two may call two people the same.")
  private static let traits = Shape.list(
    of: .object([.has("name", .text), .has("sessions", .count), .has("last", .time)]))
}
