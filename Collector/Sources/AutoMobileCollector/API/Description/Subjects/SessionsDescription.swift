extension APIDescription {
  static let sessions = Subject(
    name: "sessions", about: "What apps recorded, session by session.",
    operations: [
      .get(
        "/api/sessions", "listSessions", "Sessions, the newest first or in another order.",
        takes: sessionFilter + [
          .query(
            "sort", .choice(SessionFilter.Order.allCases.map(\.rawValue)).standard("newest"), "The order."),
          .limit(50), .before,
        ],
        answers: [.json(.page("sessions", of: "Session", .searched))],
        refuses: [.badSearch, Refusal(400, "invalid_sort", "sort is none of the orders")]),
      .get(
        "/api/sessions/facets", "countSessions", "How many sessions there are, and what they can be narrowed by.",
        "Counts the newest \(SessionFacets.most) at most.", takes: sessionFilter,
        answers: [
          .json(
            .object([
              .has("total", .count),
              .has("facets", facets(.list(of: .places([.text, .count])), areAlwaysThere: true)),
              .has(
                "others", facets(.places([.count, .count]), areAlwaysThere: false),
                "How many further values a facet has, and how many sessions have one of these."),
            ]))
        ], refuses: [.badSearch]),
      .get(
        "/api/sessions/{id}", "getSession", "One session, with the ledgers of its launches.", takes: [.session],
        answers: [.json(.object(sessionMembers + [.has("launchLedgers", .list(of: .named("Launch")))]))],
        refuses: [.noSession]),
      .get(
        "/api/sessions/{id}/events", "listEventsOfSession", "A session's events in the order of their times.",
        """
        With `before` the last events before that place, which are in the order of their times as well: the page's `next` is then \
        the place before which the events before them are.
        """,
        takes: [
          .session, .after,
          .query(
            "before", .text.matching(PageCursor.pattern),
            "The way back: the last events before this place. Not with `after` or `ids`."),
          .limit(500), .search(.events),
          .query("type", .text, "Only events of these types, with commas between them."),
          .query("ids", .text.matching("^[0-9]+(,[0-9]+)*$"), "Only the events of these numbers, up to 1000."),
        ], answers: [.json(.page("events", of: "Event", .searched))],
        refuses: [
          .noSession, .badSearch, Refusal(400, "invalid_page", "before is asked for together with after or ids"),
        ]),
      .get(
        "/api/sessions/{id}/outline", "getOutline", "A session laid out: of every event what a timeline draws.",
        """
        In columns of numbers, which a browser reads many times quicker than objects. Up to \(OutlineColumns.most) events; who \
        wants the rest asks for what is `newer`. Ask with `Accept: \(OutlineColumns.packedType)` for the same in \
        binary: the length of a head (32 bits), the head as JSON, blanks up to a multiple of eight, and the columns, \
        little-endian: times and ids (64-bit floating-point), durations and origins (32 bits), types and launches (16), \
        severities (8).
        """,
        takes: [
          .session, .search(.events), .query("newer", .integer, "Only what arrived after the event of this number."),
        ], answers: [Answer.json(.named("Outline")).or(OutlineColumns.packedType)],
        refuses: [.noSession, .badSearch]),
      .get(
        "/api/sessions/{id}/file", "exportSession", "A session as one file: Documentation/SessionFile.md.",
        takes: [.session], answers: [.file(SessionFile.mediaType, "The file.", headers: [.disposition])],
        refuses: [.noSession]),
      .get(
        "/api/sessions/{id}/trace", "exportTrace", "A session as a Chrome trace: Documentation/Trace.md.",
        "In the Trace Event Format, which Perfetto and Chrome open. Each record stands on a line of its own.",
        takes: [.session], answers: [.file(MediaType.json, "The file.", headers: [.disposition])], refuses: [.noSession]
      ),
      .post(
        "/api/import", "importSession", "Takes in a session file.",
        "It becomes a session of its own, beside whatever else has that name. The same file again adds nothing.",
        sends: Body.file(SessionFile.mediaType, most: nil, "The file, read line by line.").or(MediaType.bytes),
        answers: [.ok([.has("sessionId", .text), .has("events", .count), .has("segments", .count)])],
        refuses: [Refusal(400, "invalid_file", "the file is none, or damaged: the message names the line"), .stored]),
    ],
    schemas: [
      .init("Session", .object(sessionMembers)),
      .init("Outline", outline),
    ])

  private static let sessionFilter: [Parameter] =
    [
      .search(.sessions),
      .query("user", .text, "Of whom; `*` stands for anything."),
      .query("tag", .text, "`name=value`; `*` stands for anything."),
      .query("screen", .text, "A screen that was visited."),
      .query("url", .text, "Words of a request's URL."),
      .query("message", .text, "Words of a log's message, or of an error's."),
      .from, .to,
    ]
    + SessionFilter.Facet.allCases.map { facet in
      .several(
        facet.rawValue, facet == .has ? .choice(SessionFilter.has) : .text,
        facet == .has ? "What a session must have, all of it." : "One of these values.")
    }

  private static func facets(_ schema: Shape, areAlwaysThere: Bool) -> Shape {
    .object(
      SessionFilter.Facet.allCases.map {
        Member(name: $0.rawValue, schema: schema, isRequired: areAlwaysThere)
      })
  }

  static let sessionMembers: [Member] = [
    .has("sessionId", .text), .has("bundleId", .text.orNull), .has("appVersion", .text.orNull),
    .has("userId", .text.orNull), .has("tags", .anyObject), .has("device", .anyObject.orNull),
    .has("launches", .list(of: .text), "Ids; of a long session the first hundred."),
    .has("first", .time.orNull, "Its first event."), .has("last", .time.orNull, "Its last event."),
    .has("events", .count), .has("counts", .map(of: .count), "Events by type."), .has("errors", .count),
    .has("live", .flag, "Something came a moment ago, and a launch of it has not ended."),
    .has("lastScreen", .text.orNull), .has("lastEnd", .text.orNull, "What ended its last launch, once that is told."),
    .may(
      "failures", .list(of: .object([.has("event", .integer), .has("type", .text), .has("title", .text)])),
      "In a list: what went wrong, in short."),
    .may(
      "summary", summary, "What its device has said of it, where sessions stay there: Documentation/FlightRecorder.md."),
    .may(
      "imported",
      .object([.has("at", .time), .has("exportedAt", .time.orNull), .has("collector", .text.orNull)]),
      "It was opened from a file."),
    .may("match", .named("Match")),
  ]

  private static let summary = Shape.object([
    .has(
      "place", .choice(ToldSession.Place.allCases.map(\.rawValue)),
      "Where that is which is not here: all is here, it is on the device, or it is gone."),
    .has("missing", .count, "Events that are not here."), .has("until", .time.orNull, "When the device lets them go."),
    .has("revision", .count), .has("startedAt", .time), .has("endedAt", .time),
    .has("final", .flag, "Nothing follows."),
    .has("end", .text.orNull), .has("events", .count, "All that were recorded."), .has("counts", .map(of: .count)),
    .has("screens", .list(of: .text), "The first ones."), .has("screenVisits", .count),
    .may("launchMs", .number), .may("launchKind", .text), .has("slowFrames", .count), .has("frozenFrames", .count),
    .has("requests", .map(of: .count), "By status: `2xx` and so on; `none` are those without an answer."),
    .has("logErrors", .count), .has("errors", .count, "As the collector counts them."), .has("crashes", .count),
    .may("memoryPeak", .count, "The most memory that the process was seen to use, in bytes."),
    .may("memoryLeft", .count, "The least that was left to it, in bytes, where the system has a limit."),
    .has("memoryWarnings", .count),
  ])

  private static let outline = Shape.object([
    .has("newest", .integer, "The highest number of an event."), .has("complete", .flag, "There are no more."),
    .has("typeNames", .list(of: .text)), .has("launchNames", .list(of: .text)),
    .has("screens", .list(of: .places([.integer, .text])), "Where navigations went, by event."),
    .may("marks", .list(of: .text)),
    .has("times", .list(of: .integer), "Each as what it is more than the one before."),
    .has("ids", .list(of: .integer), "Each as what it is more than the one before."),
    .has("types", .list(of: .count), "Places in `typeNames`."),
    .has("launches", .list(of: .count), "Places in `launchNames`."), .has("severities", .list(of: .count)),
    .has("durations", .list(of: .integer), "Milliseconds; −1 for what has none."), .has("origins", .list(of: .count)),
  ])
}
