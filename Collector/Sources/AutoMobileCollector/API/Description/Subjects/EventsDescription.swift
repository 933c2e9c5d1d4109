extension APIDescription {
  static func events(_ limits: CollectorLimits) -> Subject {
    Subject(
      name: "events", about: "What apps recorded, event by event, and how much of it arrived.",
      operations: [
        .get(
          "/api/events", "searchEvents", "Events of all sessions, the newest first.",
          takes: [
            .search(.events), .query("session", .text, "Only of this session."),
            .query("type", .text, "Only events of these types, with commas between them."), .limit(100), .before,
          ], answers: [.json(.page("events", of: "Event", .searched))], refuses: [.badSearch]),
        .get(
          "/api/tail", "tailEvents", "Events as they arrive: server-sent events, which do not end.",
          """
          Each is `id: CURSOR`, `event: sdk-event`, and `data:` with an Event as JSON; comments keep a quiet stream open. \
          At most \(limits.subscribers) listeners at one time.
          """,
          takes: [
            .search(.events), .query("session", .text, "Only of this session."),
            .query("type", .text, "Only events of these types, with commas between them."),
            .query("lastEventId", .text.matching(PageCursor.pattern), "As Last-Event-ID, for who cannot send headers."),
            .header("Last-Event-ID", .text.matching(PageCursor.pattern), "Goes on after this one, without a gap."),
          ], answers: [.file("text/event-stream", "The stream.")],
          refuses: [
            .badSearch, Refusal(503, "too_many_listeners", "there are as many listeners as there can be"),
          ]),
        .get(
          "/api/launches", "listLaunches", "Launches with their ledgers, the newest first.",
          takes: [.limit(100), .before],
          answers: [.json(.page("launches", of: "Launch"))]),
        .get(
          "/api/quarantine", "listQuarantine", "Records that could not be indexed, the newest first.",
          takes: [.limit(100), .before], answers: [.json(.page("quarantine", of: "QuarantinedRecord"))]),
      ],
      schemas: [
        .init("Event", .object(event)),
        .init("Launch", .object(launch)),
        .init(
          "QuarantinedRecord",
          .object([
            .has("id", .integer), .has("launchId", .text), .has("sequence", .integer), .has("kind", .integer),
            .has("receivedAt", .time), .has("reason", .text), .has("length", .count, "In bytes."),
            .has("payload", .text, "The beginning, as text."),
          ])),
      ])
  }

  private static let event: [Member] = [
    .has("id", .integer, "Its number here: by it other routes know it."), .has("launchId", .text),
    .has("sequence", .integer, "Its position in the launch's journal."), .has("eventType", .text),
    .has("timestamp", .time, "By the device's clock; milliseconds since 1970."), .has("receivedAt", .time),
    .has("sessionId", .text), .has("payload", .anyObject, "The event as the app recorded it."),
    .has("context", .anyObject.orNull, "What held then: user, version, device, tags."),
    .may("culprit", .text, "Of a report: the function at fault."),
  ]

  private static let launch: [Member] = [
    .has("launchId", .text), .has("bundleId", .text.orNull), .has("sdkVersion", .text.orNull),
    .has("first", .time.orNull), .has("last", .time.orNull),
    .has("recorded", .integer, "Calls that recorded something, as the app counted."),
    .has("dropped", .map(of: .integer), "What the app dropped, by reason."), .has("torn", .integer),
    .has("final", .flag, "No more will come."), .has("stored", .integer), .has("duplicates", .integer),
    .has("quarantined", .integer),
    .has("lost", .integer.orNull, "What is neither here nor accounted for; null as long as more may come."),
    .has("expired", .integer, "Of those stored, deleted since, as retention wants it."),
    .has("kept", .integer.orNull, "On its device, by its last ledger; null where everything is sent."),
    .has(
      "agedOut", .integer,
      "Of those dropped as `expired`, what its device kept and nobody asked for: no loss. 0 where everything is sent."),
    .may(
      "end",
      .object([.has("verdict", .text), .has("evidence", .text), .has("lastSeen", .time.orNull)]),
      "What ended it, once a later launch has told."),
  ]
}
