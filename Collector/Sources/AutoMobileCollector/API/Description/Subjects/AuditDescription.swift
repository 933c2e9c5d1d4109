extension APIDescription {
  static let audit = Subject(
    name: "audit", about: "Who did what: opened a session, changed something, signed in, was refused.",
    operations: [
      .get(
        "/api/audit", "listAudit", "The audit log, the newest first.",
        takes: [
          .query("who", .text, "In the name, in what somebody is known by, or in the address."),
          .query("what", .text, "In the name of the thing, or in the route."),
          .query("action", .choice(AuditEntry.Action.allCases.map(\.rawValue)), "What was done."), .from, .to,
          .before, .limit(100),
        ],
        answers: [
          .json(.object([.has("entries", .list(of: .named("AuditEntry"))), .has("next", .text.orNull)]))
        ])
    ],
    schemas: [
      .init(
        "AuditEntry",
        .object([
          .has("id", .integer), .has("at", .time), .has("who", .text, "A name, for people."),
          .has("by", .text, "What they are known by: a key, a person, nothing."), .has("address", .text.orNull),
          .has("action", .choice(AuditEntry.Action.allCases.map(\.rawValue))),
          .has("route", .text, "As it stands in the table of routes."),
          .has("thing", .text.orNull, "The name of what it was about."), .has("status", .integer),
        ]))
    ])
}
