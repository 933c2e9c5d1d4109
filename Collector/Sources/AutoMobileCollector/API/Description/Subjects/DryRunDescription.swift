extension APIDescription {
  /// What rules would have sent: `POST /api/config/{bundle}/try`.
  enum DryRunDescription {
    static let operation = Operation.post(
      "/api/config/{bundle}/try", "tryUploadRules", "What rules for sending would have sent of the last seven days.",
      """
      From what is stored, and nothing is changed. What stayed on devices is not in it: of sessions of which only a summary came, \
      nothing is known but how many there are (`looked.summaries`). Replays are not in it either. Rules in which something is wrong are left out, and told in \
      `problems`. The section is laid over the one for all apps, as an app would get it.
      """,
      takes: [configuredApp],
      sends: .json(
        .object([.has("upload", .anyObject, "The section, as in a document: Documentation/FlightRecorder.md.")]),
        most: ConfigurationRules.maximumSize,
        example: ["upload": ["mode": "whenTriggered", "rules": [["name": "crash", "when": ["crash": true]]]]]),
      answers: [.json(.named("DryRun"))],
      refuses: [
        Refusal(400, "invalid_configuration", "there is no section `upload`"),
        Refusal(400, "invalid_bundle", "it is no bundle id"), .otherProject,
      ])

    static let schema = Subject.NamedSchema(
      "DryRun",
      .object([
        .has("bundleId", .text), .has("from", .time, "Events since then were looked at."), .has("to", .time),
        .has("partial", .flag, "There was too much to look at all of it: the newest devices were."),
        .has(
          "looked",
          .object([
            .has("devices", .count), .has("launches", .count), .has("sessions", .count),
            .has("summaries", .count, "Sessions of which only a summary is here."),
          ])),
        .has("everything", sum, "All that was looked at."),
        .has("always", sum, "Of this, what goes whatever rules say: crashes, handled failures, hangs, summaries."),
        .has(
          "total", .object(members + [.has("sessions", .count)]),
          "What would have been sent; where stretches overlap, it is counted once."),
        .has(
          "compression",
          .object([
            .has("bytes", .count, "Of some of the newest events."),
            .has("compressed", .count, "The same, compressed: by which what goes over the wire is estimated."),
          ])),
        .has(
          "rules",
          .list(
            of: .object(
              [
                .has("index", .count, "Its place in the section."), .has("name", .text),
                .has("matched", .count, "Events, or sessions, to which it applies."),
                .has("fired", .count, "How often it would have marked a stretch; within one, it only makes it longer."),
                .has("limited", .count, "How often it would have, but for `perDay`."),
                .has("sessions", .count, "In which it would have."), .has("devices", .count, "On which it would have."),
              ] + members))),
        .has("problems", .list(of: .named("Problem")), "What is wrong in the section."),
      ]))

    private static let members: [Member] = [
      .has("events", .count),
      .has(
        "bytes", .count,
        "Of the events' JSON, before it is compressed; of requests without their bodies where rules leave these out."),
    ]
    private static let sum = Shape.object(members)
  }
}
