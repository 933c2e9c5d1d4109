extension APIDescription {
  static let settings = Subject(
    name: "settings", about: "What operators set for the whole collector.",
    operations: [
      .get(
        "/api/settings", "getSettings", "How long things are kept, what they take, and how the collector is protected.",
        answers: [.json(.named("Settings"))]),
      .put(
        "/api/settings/retention", "setRetention",
        "How long things are kept. What is left out, or null, does not limit it.",
        takes: [.author],
        sends: .json(
          .object(
            [
              .may("days", .integer.from(1, to: Int64(RetentionPolicy.mostDays)).orNull),
              .may("bytes", .integer.from(RetentionPolicy.leastBytes, to: RetentionPolicy.mostBytes).orNull),
            ], isClosed: true), most: SmallBodies.ofSettings, example: ["days": 30, "bytes": 20_000_000_000]),
        answers: [.json(.named("Settings"))],
        refuses: [Refusal(400, "invalid_retention", "there is another member, or it is no object")]),
    ],
    schemas: [
      .init(
        "Settings",
        .object([
          .has(
            "retention",
            .object([
              .has("days", .integer.orNull), .has("bytes", .integer.orNull), .has("changedAt", .time.orNull),
              .has("changedBy", .author.orNull), .has("running", .flag, "Something is being deleted."),
              .has("lastRun", .time.orNull), .has("deletedSessions", .count), .has("deletedEvents", .count),
              .has("problem", .text.orNull),
            ])),
          .has(
            "storage",
            .object([
              .has("usedBytes", .count), .has("fileBytes", .count.orNull), .has("freeBytes", .count.orNull),
              .has("sessions", .count.orNull, "Null where they are in ClickHouse."),
              .has("events", .count.orNull, "Null where they are in ClickHouse."),
              .has("oldestReceived", .time.orNull),
              .has("fullText", .flag, "Words are indexed."),
            ])),
          .has(
            "access", .object([.has("loopback", .flag), .has("asksForKeys", .flag), .has("operatorKey", .flag)])),
        ]))
    ])
}
