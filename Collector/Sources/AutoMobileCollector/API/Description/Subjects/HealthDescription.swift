extension APIDescription {
  static let health = Subject(
    name: "health", about: "How well apps do, by version and over time.",
    operations: [
      .get(
        "/api/health", "getHealth", "Stability, launches, hangs, frames, requests, taps, and what the recorder lost.",
        """
        Every part has its sums, the same by `versions` (the newest \(HealthReport.listedVersions); `otherVersions` has the \
        rest) and, over time, as a `trend` of stretches of `bucketMs`.
        """,
        takes: [
          .query("app", .text, "Only of this app."), .query("version", .text, "Only of this version."),
          .query("from", .time, "From this time on; \(HealthFilter.standardDays) days back when nothing is said."),
          .query("to", .time, "Before this time; now when nothing is said."),
        ], answers: [.json(.named("Health"))],
        refuses: [Refusal(400, "invalid_from", "from is not before to")]),
      .get(
        "/api/health/savings", "getSavings", "What devices keep instead of sending it, by app and week.",
        """
        Where sessions stay on devices: Documentation/FlightRecorder.md. `savedBytes` is an estimate: kept events have the average \
        size of those that are here, and never more than the room that devices say they take. What was sent is counted from the \
        first version on that has this.
        """,
        takes: [
          .query("app", .text, "Only of this app."),
          .query("from", .time, "From this time on; \(UploadSavings.weeks) weeks back when nothing is said."),
          .query("to", .time, "Before this time; now when nothing is said."),
        ],
        answers: [
          .json(
            .object(
              [.has("from", .time), .has("to", .time)] + savings + [
                .has("partial", .flag, "Older weeks were left out."),
                .has(
                  "weeks",
                  .list(
                    of: .object(
                      [.has("week", .time, "When it begins: a Monday, UTC."), .has("bundleId", .text.orNull)] + savings)
                  ),
                  "The newest first."),
              ]))
        ], refuses: [Refusal(400, "invalid_from", "from is not before to")]),
      .get(
        "/api/apps", "listApps", "The apps that have sessions, the busiest first, with their versions.",
        answers: [.json(.object(knownApps))]),
    ],
    schemas: [
      .init(
        "Health",
        .object(
          [.has("from", .time), .has("to", .time), .has("bucketMs", .count)] + knownApps + [
            .has("sessions", .object(sessionsOfHealth)), .has("ends", .object(endsOfHealth)),
            .has("launchTime", .object(launchTimes)), .has("hangs", .object(hangs)), .has("frames", .object(frames)),
            .has("requests", .object(requestsOfHealth)), .has("taps", .object(taps)),
            .has("recorder", .object(recorder)),
          ]))
    ])

  private static let knownApps: [Member] = [
    .has(
      "apps",
      .list(
        of: .object([
          .has("bundleId", .text.orNull), .has("versions", .list(of: .text), "The newest first."),
          .may("otherVersions", .count, "How many more there are."),
        ]))),
    .may("otherApps", .count, "How many more there are."),
  ]

  /// The lists that every part has.
  private static func byVersion(_ sums: [Member], _ more: [Member] = []) -> [Member] {
    [
      .has(
        "versions", .list(of: .object([.has("bundleId", .text.orNull), .has("version", .text.orNull)] + sums + more))),
      .may("otherVersions", .object([.has("names", .count)] + sums + more)),
    ]
  }

  private static func trend(_ sums: [Member]) -> Member {
    .has("trend", .list(of: .object([.has("at", .time)] + sums)), "The oldest first.")
  }

  private static let savings: [Member] = [
    .has("sentEvents", .integer), .has("sentBytes", .integer, "Of their JSON."),
    .has("keptEvents", .integer, "On devices, or gone from there unsent."),
    .has("keptBytes", .integer, "The room that they take there."), .has("savedBytes", .integer),
  ]

  private static let crashed: [Member] = [.has("count", .count), .has("crashed", .count)]
  private static let crashedUsers =
    crashed + [
      .has("bySummary", .count, "Of which their devices tell in summaries, and not all is here."),
      .has("users", .object(crashed), "Who have names, each once."),
    ]
  private static let sessionsOfHealth = crashedUsers + byVersion(crashedUsers) + [trend(crashed)]

  /// Values that really were, by nearest rank; none when there are none.
  private static let percentiles: [Member] = [
    .has("count", .count), .may("p50", .number), .may("p90", .number), .may("p99", .number), .may("max", .number),
  ]

  private static let ends: [Member] = [
    .has("count", .count), .has("verdicts", .map(of: .count)), .has("memoryMB", .object(percentiles)),
  ]
  private static let endsOfHealth: [Member] =
    ends + byVersion(ends) + [
      trend([.has("verdicts", .map(of: .count))]),
      .has(
        "recent",
        .list(
          of: .object([
            .has("at", .time.orNull), .has("bundleId", .text.orNull), .has("version", .text.orNull),
            .has("verdict", .text), .has("evidence", .text), .has("sessionId", .text), .has("userId", .text.orNull),
          ])), "The last ones that nobody wanted."),
    ]

  private static let launchTimes: [Member] =
    percentiles + [
      .has("bySummary", .count, "Of which only summaries tell."),
      .has("preMain", .object(percentiles)),
      .has("kinds", .list(of: .object([.has("kind", .text)] + percentiles))),
      .may("otherKinds", .object([.has("names", .count)] + percentiles)),
    ] + byVersion(percentiles) + [
      trend(percentiles),
      .has(
        "slowest",
        .list(
          of: .object([
            .has("event", .integer), .has("sessionId", .text), .has("timestamp", .time), .has("kind", .text),
            .has("totalMs", .number), .has("version", .text),
          ]))),
    ]

  private static let sessionsBySummary = Member.has(
    "sessionsBySummary", .count,
    "Sessions of the same time that their devices tell of in summaries: of them, only what came is counted.")

  private static let hang: [Member] = [
    .has("count", .count), .has("totalMs", .number), .has("longestMs", .number), .has("sessions", .count),
  ]
  private static let hangs: [Member] =
    hang + byVersion(hang, [.has("ofSessions", .count.orNull, "So many sessions the version had.")]) + [
      sessionsBySummary,
      trend([.has("count", .count)]),
      .has("issues", .list(of: .object([.has("id", .text), .has("title", .text), .has("count", .count)]))),
    ]

  private static let visits: [Member] = [
    .has("visits", .count), .may("unfinished", .count, "Such as ended with the process."), .has("frames", .count),
    .has("slow", .count), .has("frozen", .count), .has("durationMs", .count), .has("worstMs", .number),
  ]
  private static let frames: [Member] =
    visits + [
      sessionsBySummary,
      .has("partial", .flag, "Not all crashes were counted."),
      .has(
        "screens",
        .list(
          of: .object(
            [.has("screen", .text)] + visits + [
              .has("crashes", .count), .has("event", .integer, "Of its worst visit."), .has("sessionId", .text),
            ]))),
      .may("otherScreens", .object([.has("names", .count)] + visits + [.has("crashes", .count)])),
    ] + byVersion(visits) + [trend(visits)]

  private static let endpoints = Shape.list(
    of: .object([.has("host", .text), .has("route", .text), .has("method", .text)] + requestSums))
  private static let requestsOfHealth: [Member] =
    requestSums + [
      .has("bySummary", .count, "Of which only summaries tell: they have no durations, sizes and routes."),
      .has("statuses", .map(of: .count), "`2xx` and so on; `none` are those without an answer."),
      .has("partial", .flag, "Older requests, or older sessions that only summaries tell of, were left out."),
    ] + byVersion(requestSums) + [
      .has("failing", endpoints), .has("slowest", endpoints),
    ]

  private static let tapSums: [Member] = [.has("rage", .count), .has("dead", .count), .has("sessions", .count)]
  private static let taps: [Member] =
    tapSums + [
      sessionsBySummary,
      .has("partial", .flag, "Older taps were left out."),
      .has(
        "places",
        .list(
          of: .object(
            [.has("screen", .text), .has("element", .text)] + tapSums + [
              .has("event", .integer, "The last one."), .has("sessionId", .text.orNull),
            ]))),
      .may("otherPlaces", .object([.has("names", .count)] + tapSums)),
    ]

  private static let losses: [Member] = [
    .has("launches", .count), .has("open", .count, "Launches that may still deliver."), .has("recorded", .integer),
    .has("stored", .integer), .has("duplicates", .integer), .has("quarantined", .integer), .has("torn", .integer),
    .has("lost", .integer), .has("expired", .integer, "Deleted here since."),
    .has("kept", .integer, "On devices: neither delivered nor lost."),
    .has(
      "agedOut", .integer, "Kept on devices until it was too old or its room was needed, and nobody asked: no loss."),
    .has("dropped", .map(of: .integer), "By reason, without what has aged out."),
  ]
  private static let recorder: [Member] =
    losses + byVersion(losses) + [
      .has(
        "worst",
        .list(
          of: .object([
            .has("launchId", .text), .has("sessionId", .text.orNull), .has("at", .time.orNull),
            .has("dropped", .integer), .has("lost", .integer),
          ])))
    ]
}
