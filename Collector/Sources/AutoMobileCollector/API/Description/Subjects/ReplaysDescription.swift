extension APIDescription {
  static let replays = Subject(
    name: "replays", about: "The screen as it was: what a player reads.",
    operations: [
      .get(
        "/api/sessions/{id}/replays", "listReplaysOfSession", "The replays of a session, in the order of time.",
        takes: [.session], answers: [.json(.object([.has("replays", .list(of: .named("Replay")))]))]),
      .get(
        "/api/replays/{id}", "getReplay", "One replay, with its segments.", takes: [replay],
        answers: [.json(.named("Replay"))], refuses: [.unknown("no_replay", "no replay with this id")]),
      .get(
        "/api/replays/{id}/segments/{segment}", "getSegment", "The frames or lines of a segment.",
        "Documentation/ReplayFormat.md has the format. Of a segment that is still growing, its first `parts` never change.",
        takes: [
          replay, .path("segment", .text, "A segment's `id`."),
          .query("parts", .integer.from(1), "Only the first so many."),
          .ifNoneMatch,
        ],
        answers: [
          Answer.file(MediaType.bytes, "Frames, or lines of JSON; often as gzip.", headers: [.eTag]).or(
            MediaType.lines),
          .nothing(304, "It is still the same.").with(.eTag),
        ],
        refuses: [
          .unknown("no_segment", "the replay has no such segment"),
          .unreadable,
          Refusal(500, "damaged", "the segment's file is missing or damaged"),
        ]),
    ],
    schemas: [
      .init(
        "Replay",
        .object([
          .has("replayId", .text), .has("bundleId", .text.orNull), .has("first", .time.orNull),
          .has("last", .time.orNull),
          .has("frames", .integer.orNull), .has("bytes", .integer.orNull), .has("startedAt", .time.orNull),
          .has("endedAt", .time.orNull), .has("backgroundMs", .integer.orNull), .has("endReason", .text.orNull),
          .has("metrics", .map(of: .number).orNull, "What the recorder measured of itself."),
          .has("telemetrySessionIds", .list(of: .text), "The sessions that it shows."),
          .has("segments", .list(of: .object(segment))), .has("faults", .list(of: .object(fault))),
        ]))
    ])

  private static let replay = Parameter.path("id", .text, "A replay's `replayId`.")
  static let segmentKind = Shape.choice(ReplaySegment.Kind.allCases.map(\.rawValue))

  private static let segment: [Member] = [
    .has("id", .text), .has("kind", segmentKind), .has("first", .time), .has("last", .time), .has("frames", .count),
    .has("bytes", .count), .has("parts", .count),
  ]

  private static let fault: [Member] = [
    .has("incidentId", .text), .has("timestamp", .time), .has("category", .text), .has("identifier", .text),
    .has("detail", .text), .has("frames", .anything), .has("context", .anything),
  ]
}
