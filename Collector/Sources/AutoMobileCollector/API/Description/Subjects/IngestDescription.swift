import AutoMobileJournal

extension APIDescription {
  static func ingest(_ limits: CollectorLimits) -> Subject {
    Subject(
      name: "ingest", about: "What apps deliver.",
      operations: [
        .post(
          "/sdk-events", "deliverEvents", "Takes in a batch. It is durable before the answer.",
          """
          As a journal's records (`\(BatchHeader.mediaType)`: what the SDK sends) or as an envelope of events in base64. \
          May be gzip, or deflate (RFC 1950) with the dictionary that `Accept-Post` names; \(limits.decompressedBytes) bytes \
          at most after decompression, \(limits.batchEvents) events, \(limits.eventBytes) bytes each. A batch may be sent \
          again: what is here already is counted and not kept twice.
          """,
          takes: [
            .header("Content-Encoding", .choice(["gzip", "deflate", "identity"]), "How the body is compressed."), asker,
          ],
          sends: Body.json(
            .object([
              .has("events", .list(of: .object(event)).most(limits.batchEvents)), .may("bundleId", .text.orNull),
              .may("sdkVersion", .text.orNull), .may("timestamp", .integer), .may("launchId", .text.orNull, "A UUID."),
              .may("ledger", .anyObject.orNull, "Documentation/Ledger.md."),
            ]), most: limits.bodyBytes, "The batch.", example: example
          ).or(BatchHeader.mediaType),
          answers: [
            Answer.ok([
              .has("accepted", .count), .has("duplicates", .count),
              .has(
                "rejected",
                .list(
                  of: .object([.may("sequence", .integer), .may("index", .count), .has("reason", .text)]))),
            ]).with(.configuration)
          ],
          refuses: [
            Refusal(400, "invalid_batch", "the batch cannot be read; `offset` says where"),
            Refusal(400, "truncated", "the body ends too early"), .stored,
          ]),
        .get(
          "/sdk-events", "drainEvents",
          "The last envelopes as they came, once: for tools of AutoMobile's own receiver.",
          takes: [.query("bundleId", .text, "Only of this app.")], answers: [.json(.list(of: .anyObject))]),
      ])
  }

  private static let event: [Member] = [
    .may("eventType", .text), .has("payload", .text, "The event's JSON in base64."), .may("sequence", .integer),
  ]

  /// `{"timestamp":1700000000000,"message":"Hello"}`
  private static let example: DocumentValue = [
    "bundleId": "com.example.shop",
    "events": [
      ["eventType": "log", "payload": "eyJ0aW1lc3RhbXAiOjE3MDAwMDAwMDAwMDAsIm1lc3NhZ2UiOiJIZWxsbyJ9"]
    ],
  ]
}
