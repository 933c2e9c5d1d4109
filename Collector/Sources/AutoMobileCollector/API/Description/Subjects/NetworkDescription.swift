extension APIDescription {
  static let network = Subject(
    name: "network", about: "Requests that apps sent: listed, counted, and whole.",
    operations: [
      .get(
        "/api/network", "listRequests", "Requests, the newest first or in another order.",
        "A page can be empty and have a `next`: only so many rows are looked at in one go.",
        takes: requestFilter + [
          .query("before", .text.matching(PageCursor.pattern), "The `next` of the page before, in any order."),
          .limit(100),
        ], answers: [.json(.page("requests", of: "Request", .searched))], refuses: badFilter),
      .get(
        "/api/network/stats", "countRequests", "Requests counted by endpoint and by host.",
        "Exact, over the newest of those that the filter leaves; `partial` says that there were more.",
        takes: requestFilter, answers: [.json(.named("RequestStatistics"))], refuses: badFilter),
      .get(
        "/api/network/{id}", "getRequest", "One request, whole, with the frames of a WebSocket.", takes: [.event],
        answers: [
          .json(
            .object([
              .has("event", .named("Event")), .has("frameCount", .count, "How many there are."),
              .has("frames", .list(of: .named("Event")), "The first \(ExchangeReader.frames) at most."),
            ]))
        ], refuses: one),
      .get(
        "/api/network/har", "exportRequests", "Requests as an HTTP archive (HAR 1.2), the oldest first.",
        takes: requestFilter + [.query("limit", .integer.from(1), "How many at most; all when nothing is said.")],
        answers: [har], refuses: badFilter),
      .get(
        "/api/network/{id}/har", "exportRequest", "One request as an HTTP archive.", takes: [.event], answers: [har],
        refuses: one),
      .get(
        "/api/network/{id}/curl", "exportRequestAsCurl", "One request as a command line for curl.", takes: [.event],
        answers: [text], refuses: one),
      .get(
        "/api/network/{id}/fetch", "exportRequestAsFetch", "One request as a call of fetch.", takes: [.event],
        answers: [text], refuses: one),
      .get(
        "/api/network/{id}/text", "exportRequestAsText", "One request with its answer as text.", takes: [.event],
        answers: [text], refuses: one),
      .get(
        "/api/resend", "listResendHosts", "The hosts that requests may be sent to again.",
        answers: [.json(.object([.has("hosts", .list(of: .text), "As `serve --resend-to` names them.")]))]),
      .post(
        "/api/network/{id}/resend", "resendRequest", "Sends a recorded request once more, from the collector.",
        takes: [.event, .author],
        answers: [
          .json(
            .object([
              .has("statusCode", .integer), .has("durationMs", .number), .has("responseHeaders", .map(of: .text)),
              .has("responseBody", .text.orNull), .may("responseBodyEncoding", .choice(["base64"])),
              .has("responseBodySize", .count),
              .has("withheld", .list(of: .text), "Headers that were redacted, and so not sent."),
            ]))
        ],
        refuses: one + [
          Refusal(403, "not_sent", "the host is not allowed, or the request cannot be repeated"),
          Refusal(502, "no_answer", "it was sent, and no answer came"),
        ]),
    ],
    schemas: [.init("Request", .object(requestMembers)), .init("RequestStatistics", .object(statistics))])

  private static let one: [Refusal] = [
    .noEvent, .noRequest, Refusal(400, "invalid_event", "the id is no number"),
  ]
  private static let har = Answer.file(MediaType.json, "The archive.", headers: [.disposition])
  private static let text = Answer.file(MediaType.text, "The text.", headers: [.disposition])
  private static let badFilter: [Refusal] = [
    .badSearch, Refusal(400, "invalid_pattern", "a pattern has more than 8 asterisks"),
    Refusal(400, "invalid_status", "status is none of these"),
  ]

  private static let requestFilter: [Parameter] = [
    .search(.requests), .query("session", .text, "Of this session."), .query("app", .text, "Of this app."),
    .query("method", .text, "`GET`; several with commas."),
    .query("status", .text, "A code (`404`), a class (`5xx`), `none` or `unfinished`; several with commas."),
    .query("host", .text, "`api.example.com`; `*` stands for anything."),
    .query("path", .text, "`/v1/*`; `*` stands for anything, `?` for one character."),
    .query("route", .text, "A path as statistics count it: `/v1/orders/:id`."),
    .query("minMs", .number, "Not quicker than so many milliseconds."),
    .query("tracer", .text, "With this tracer id."), .query("mocked", .flag, "Whether a mock rule answered."),
    .query("failed", .flag, "Only those that failed."), .from, .to,
    .query("arrivedAfter", .integer, "Only what arrived after the event of this number."),
    .query("sort", .choice(NetworkFilter.Order.allCases.map(\.rawValue)).standard("newest"), "The order."),
  ]

  private static let requestMembers: [Member] = [
    .has("id", .integer, "The number of its event."), .has("timestamp", .time), .has("method", .text),
    .has("host", .text), .has("path", .text), .has("query", .text.orNull), .has("route", .text),
    .has("statusCode", .integer.orNull), .may("durationMs", .number), .has("sent", .integer.orNull, "In bytes."),
    .has("received", .integer.orNull, "In bytes."), .has("failed", .flag),
    .may("unfinished", .flag, "The process ended before an answer came."), .has("error", .text.orNull),
    .has("tracerId", .text.orNull), .has("mockRule", .text.orNull), .has("graphQLOperation", .text.orNull),
    .has("sessionId", .text), .has("userId", .text.orNull), .has("bundleId", .text.orNull),
    .may("match", .named("Match")),
  ]

  /// Requests of one kind, added up; times when any told how long it took.
  static let requestSums: [Member] = [
    .has("count", .count), .has("failed", .count), .has("sent", .integer), .has("received", .integer),
    .may("medianMs", .number), .may("p95Ms", .number), .may("slowestMs", .number), .may("totalMs", .number),
  ]

  private static let others = Shape.object([.has("names", .count, "How many more there are.")] + requestSums)

  private static let statistics: [Member] =
    requestSums + [
      .has("partial", .flag, "Older requests were left out."), .has("first", .time.orNull), .has("last", .time.orNull),
      .has(
        "trend", .list(of: .places([.count, .count])),
        "From first to last in \(NetworkStatistics.buckets) equal parts: how many, and how many failed."),
      .has("endpointCount", .count),
      .has(
        "endpoints",
        .list(of: .object([.has("host", .text), .has("route", .text), .has("method", .text)] + requestSums))),
      .may("otherEndpoints", others), .has("hosts", .list(of: .object([.has("host", .text)] + requestSums))),
      .may("otherHosts", others),
    ]
}
