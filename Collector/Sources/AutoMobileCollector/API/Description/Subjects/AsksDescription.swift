extension APIDescription {
  static let asks = Subject(
    name: "asks", about: "Asking for what devices keep, and what became of it.",
    operations: [
      .get(
        "/api/asks", "listAsks", "What is asked for, the newest first.",
        takes: [
          .query("app", .text, "Only what is asked of this app."),
          .query("session", .text, "Only those about this session."),
          .query("user", .text, "Only those about this user."),
          .query("device", .text, "Only those about this installation."),
          .query("appVersion", .text, "Only those about this version."),
          .query("open", .flag, "`true`: only what is not gone."), .before, .limit(50),
        ],
        answers: [.json(.object([.has("asks", .list(of: .named("Ask"))), .has("next", .text.orNull)]))],
        refuses: [Refusal(400, "invalid_subject", "more than one of session, user, device and appVersion is named")]),
      .post(
        "/api/asks", "ask", "Asks for what devices keep of a session, a user, a device or a version.",
        """
        The apps that it may concern are told, and send what they keep of it: those in the foreground within seconds, others when they \
        are opened or deliver. It stands for 14 days.
        """,
        takes: [.author],
        sends: .json(
          .object([
            .may("bundleId", .text, "The app; of a session it need not be said."),
            .may("session", .text, "A session's `sessionId`."), .may("user", .text, "The name that the app gave."),
            .may("device", .text, "The anonymousId of an installation."),
            .may("appVersion", .text, "What runs this version now."),
            .may("from", .time.orNull, "Events from this time on."),
            .may("to", .time.orNull, "Events up to this time."), .has("reason", .text.least(1), "Why; for the list."),
          ]), most: SmallBodies.ofSettings,
          example: ["bundleId": "com.example.shop", "user": "ada", "reason": "Ticket 4711"]),
        answers: [.json(.named("Ask"))],
        refuses: [
          Refusal(400, "invalid_ask", "the body is no object"),
          Refusal(400, "invalid_subject", "none, or more than one, of session, user, device and appVersion is named"),
          Refusal(400, "invalid_range", "a time is none, or from is later than to"),
          Refusal(400, "invalid_reason", "the reason is missing, or too long"),
          Refusal(400, "invalid_bundle", "the app is not named, or the session is of another one"),
          .unknown("no_session", "there is no such session"),
          Refusal(409, "no_device", "the session came out of a file"),
          Refusal(409, "nothing_kept", "the session's device keeps nothing of it"),
          Refusal(409, "asked_already", "the same is asked for already"), .tooMany,
        ]),
      .get(
        "/api/asks/{id}", "getAsk", "One ask: how it stands.", takes: [.number], answers: [.json(.named("Ask"))],
        refuses: [.unknown("no_ask", "there is no ask of this number")]),
      .delete(
        "/api/asks/{id}", "withdrawAsk", "Takes an ask back: no app is told of it any more.",
        takes: [.number, .author],
        answers: [.json(.named("Ask"))],
        refuses: [.unknown("no_ask", "there is no ask of this number"), Refusal(409, "ask_gone", "it is gone already")]),
    ],
    schemas: [
      .init(
        "Ask",
        .object([
          .has("id", .integer), .has("bundleId", .text), .has("kind", .choice(Ask.Kind.allCases.map(\.rawValue))),
          .has("subject", .text, "The session, user, device or version."), .has("from", .time.orNull),
          .has("to", .time.orNull), .has("reason", .text), .has("askedBy", .text), .has("askedAt", .time),
          .has("endsAt", .time, "Until then it stands."), .has("state", .choice(Ask.State.allCases.map(\.rawValue))),
          .has("gone", .choice(Ask.End.allCases.map(\.rawValue)).orNull, "Why it is gone."), .has("changedAt", .time),
          .has("changedBy", .text.orNull, "Who changed its state, when it was somebody."),
          .has("toldAt", .time.orNull, "When an app heard of it first."), .has("cameAt", .time.orNull),
          .has("events", .count, "That have arrived since."),
        ]))
    ])
}
