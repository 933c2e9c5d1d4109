extension APIDescription {
  static func openTelemetry(_ limits: CollectorLimits) -> Subject {
    Subject(
      name: "OpenTelemetry", about: "OTLP over HTTP, in and out: Documentation/OpenTelemetry.md.",
      operations: [
        receive(
          limits, "logs", "deliverLogs", "Takes in log records. They are durable before the answer.",
          sent: "resourceLogs", rejected: "rejectedLogRecords"),
        receive(
          limits, "traces", "deliverSpans", "Takes in spans. They are durable before the answer.",
          sent: "resourceSpans", rejected: "rejectedSpans"),
        receive(
          limits, "metrics", "deliverMetrics", "Counts data points, and keeps none.", sent: "resourceMetrics",
          rejected: "rejectedDataPoints"),
        export("logs", "exportLogs", "A session's events as log records."),
        export("traces", "exportSpans", "A session's spans and requests as spans."),
      ],
      schemas: [
        .init(
          "RPCStatus",
          .object([.may("code", .integer, "gRPC's number."), .may("message", .text)]).saying(
            "How OTLP has errors: `google.rpc.Status`."))
      ])
  }

  private static func receive(
    _ limits: CollectorLimits, _ signal: String, _ name: String, _ summary: String, sent: String, rejected: String
  ) -> Operation {
    .post(
      "/v1/\(signal)", name, summary,
      """
      As protobuf or JSON, and answered in the same. May be gzip; \(limits.decompressedBytes) bytes at most after \
      decompression, \(limits.otlpRecords) records.
      """,
      takes: [.header("Content-Encoding", .choice(["gzip", "identity"]), "How the body is compressed.")],
      sends: Body.json(.object([.may(sent, .list(of: .anyObject))]), most: limits.bodyBytes, "OTLP's request.")
        .or(OTLPFormat.protobuf.mediaType),
      answers: [
        Answer.json(
          .object([
            .may(
              "partialSuccess",
              .object([
                .may(rejected, .text, "How many, as protobuf's JSON has such numbers."), .may("errorMessage", .text),
              ]),
              "When not all of it was taken.")
          ]), "It is taken."
        ).or(OTLPFormat.protobuf.mediaType)
      ],
      refuses: [Refusal(400, "invalid_otlp", "the request cannot be read as OTLP"), .stored]
    ).refusing(
      also: .init(type: MediaType.json, schema: .named("RPCStatus")),
      .init(type: OTLPFormat.protobuf.mediaType, schema: .bytes))
  }

  private static func export(_ signal: String, _ name: String, _ summary: String) -> Operation {
    .get(
      "/api/sessions/{id}/otlp/\(signal)", name, summary,
      "As JSON, each line is a request of OTLP; as protobuf, all of it is one.",
      takes: [
        .session,
        .query(
          "format", .choice(OTLPFormat.allCases.map(\.rawValue)).standard(.text(OTLPFormat.json.rawValue)),
          "In which encoding."),
      ],
      answers: [
        Answer.file("application/jsonl", "The file.", headers: [.disposition]).or(OTLPFormat.protobuf.mediaType)
      ], refuses: [.noSession, Refusal(400, "invalid_format", "format is none of these")])
  }
}
