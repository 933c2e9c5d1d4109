extension APIDescription {
  static let spans = Subject(
    name: "spans", about: "What took time, and what belongs to one trace across apps and servers.",
    operations: [
      .get(
        "/api/sessions/{id}/spans", "listSpansOfSession",
        "The spans that began in a session, in the order of their begins.",
        takes: [
          .session, .query("newer", .integer, "Only those that an event after the one of this number tells of."),
          .after,
          .limit(500),
        ], answers: [.json(.page("spans", of: "Span"))], refuses: [.noSession]),
      .get(
        "/api/traces/{id}", "getTrace", "All spans and requests of a trace, whatever app and session they are of.",
        "A trace that nobody has heard of has no spans.",
        takes: [.path("id", .text.matching("^[0-9a-fA-F]{32}$"), "A `traceId`."), .after, .limit(500)],
        answers: [
          .json(
            .page(
              "spans", of: "PlacedSpan",
              [
                .has("traceId", .text),
                .may("requests", .list(of: request), "With the first page, \(TracedRequest.most) at most."),
              ]))
        ], refuses: [Refusal(400, "invalid_trace", "the id is not 32 hexadecimal digits, or is zero")]),
    ],
    schemas: [
      .init("Span", .object(span)),
      .init(
        "PlacedSpan",
        .object(
          span + [
            .has("sessionId", .text), .has("bundleId", .text.orNull), .has("userId", .text.orNull),
            .may("attributes", .anyObject, "As they were recorded."),
          ])),
    ])

  private static let span: [Member] = [
    .has("event", .integer.orNull, "The event that tells most of it."),
    .may("begun", .integer, "The event of its begin, when another one tells of its end."), .has("timestamp", .time),
    .may("durationMs", .number, "Not there while it is open."), .has("name", .text), .has("traceId", .text),
    .has("spanId", .text), .may("parentSpanId", .text, "Not there when it is the root."),
    .may("kind", .text, "`client`, `server`, `producer`, `consumer`; else it is internal."),
    .may("status", .text, "`ok` or `error`, when it was said."), .may("statusMessage", .text),
  ]

  private static let request = Shape.object([
    .may("spanId", .text), .may("parentSpanId", .text, "The span that sent it."), .has("request", .named("Request")),
  ])
}
