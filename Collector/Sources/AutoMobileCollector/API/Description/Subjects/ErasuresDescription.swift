extension APIDescription {
  static let erasures = Subject(
    name: "erasures", about: "Erasing what belongs to one user, device or session, with a receipt.",
    operations: [
      .get(
        "/api/erasures", "listErasures", "Erasures, the newest first.",
        "With a user, device or session: those of this one, with the project that was named then.",
        takes: [
          .query("user", .text, "The name that the app gave."),
          .query("device", .text, "An installation's anonymousId."),
          .query("session", .text, "A session's id."), .query("project", .text, "The bundle id of a project."), .before,
          .limit(50),
        ],
        answers: [.json(.object([.has("erasures", .list(of: .named("Erasure"))), .has("next", .text.orNull)]))],
        refuses: [Refusal(400, "invalid_subject", "more than one of user, device and session is named")]),
      .post(
        "/api/erasures", "erase", "Erases all that belongs to a user, a device or a session.",
        """
        Written down before the answer, and done afterwards: `getErasure` says how far it is. From the answer on nothing of it is \
        taken in. With `dryRun`, only what would go is counted.
        """,
        takes: [.author],
        sends: .json(
          .object([
            .may("user", .text, "The name that the app gave: every session in which it was signed in, whole."),
            .may("device", .text, "The anonymousId of an installation."), .may("session", .text, "A session's id."),
            .may("project", .text, "Only what belongs to this app."),
            .may("reason", .text, "Stays in the receipt; without the name."), .may("dryRun", .flag),
          ]), most: SmallBodies.ofSettings, example: ["user": "ada", "reason": "Request 4711"]),
        answers: [
          .ok([
            .may("id", .integer), .has("sessions", .count, "That were found."), .may("dryRun", .flag),
            .may("rows", .map(of: .count), "With `dryRun`: rows by table, and bytes."),
          ])
        ],
        refuses: [
          Refusal(400, "invalid_subject", "none, or more than one, of user, device and session is named"),
          Refusal(400, "invalid_user", "the name is empty or too long"),
          Refusal(400, "invalid_device", "the name is empty or too long"),
          Refusal(400, "invalid_session", "the name is empty or too long"),
          Refusal(400, "invalid_reason", "the reason is too long, or has the name in it"),
          Refusal(400, "invalid_bundle", "the project is no bundle id"),
          Refusal(403, "other_project", "the key is for another project"),
          Refusal(403, "project_only", "the project must be named"),
        ]),
      .get(
        "/api/erasures/{id}", "getErasure", "One erasure: how far it is, and its receipt.", takes: [.number],
        answers: [.json(.named("Erasure"))], refuses: [.unknown("no_erasure", "there is no erasure of this number")]),
    ],
    schemas: [
      .init(
        "Erasure",
        .object([
          .has("id", .integer), .has("kind", .choice(ErasureSubject.Kind.allCases.map(\.rawValue))),
          .has("subject", .text, "A keyed hash of the name, which only this collector can make."),
          .has("project", .text.orNull), .has("reason", .text), .has("requestedAt", .time),
          .has("requestedBy", .text),
          .has("step", .choice(ErasureStep.allCases.map(\.rawValue)), "What is being done at the moment."),
          .has("sessions", .count), .has("events", .count, "Removed so far."),
          .has("problem", .text.orNull, "Why it waits."), .has("finishedAt", .time.orNull),
          .has("marksEnd", .time, "Until then what comes late is dropped."),
          .has("receipt", .text.orNull, "JSON, as a text: what was removed, and what remains."),
          .has("sha256", .text.orNull, "Of the receipt's text."),
        ]))
    ])
}
