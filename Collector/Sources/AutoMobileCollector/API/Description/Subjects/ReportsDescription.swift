extension APIDescription {
  static let reports = Subject(
    name: "reports", about: "A crash, a hang or a handled error with its stacks, symbolicated.",
    operations: [
      .get(
        "/api/events/{id}/report", "getReport", "The report of an event.", takes: [.event],
        answers: [.json(.named("Report"))], refuses: refusals),
      .get(
        "/api/events/{id}/report.txt", "exportReportAsText", "The same as text.", takes: [.event],
        answers: [.file(MediaType.text, "The text.", headers: [.disposition])], refuses: refusals),
      .get(
        "/api/events/{id}/report.ips", "exportReportAsIPS", "The same in Apple's form.", takes: [.event],
        answers: [.file(MediaType.bytes, "An .ips file.", headers: [.disposition])], refuses: refusals),
    ],
    schemas: [
      .init("Report", report), .init("Stacks", stacks), .init("Frame", frame),
    ])

  private static let refusals: [Refusal] = [
    .noEvent, .noReport, Refusal(400, "invalid_event", "the id is no number"),
    Refusal(422, "unreadable_report", "the event has a report that cannot be read"),
  ]

  private static let report = Shape.object([
    .has("event", .integer), .has("eventType", .text), .has("timestamp", .time), .has("sessionId", .text),
    .has("launchId", .text), .has("issue", .text.orNull), .has("kind", kind), .has("cause", .text),
    .has("errorDomain", .text.orNull), .has("message", .text.orNull), .has("screen", .text.orNull),
    .has("bundleId", .text.orNull), .has("appVersion", .text.orNull),
    .has(
      "device",
      .object([.has("model", .text.orNull), .has("systemName", .text.orNull), .has("osVersion", .text.orNull)])),
    .has("context", .anyObject.orNull), .has("report", .named("Stacks")),
    .has(
      "symbols",
      .object([
        .has("problem", .text.orNull, "Why nothing can be symbolicated."),
        .has(
          "missing",
          .list(of: .object([.has("name", .text), .has("uuid", .text.orNull), .has("architecture", .text.orNull)]))),
      ])),
    .has("before", .list(of: .named("Event")), "The last \(ReportQuery.before) events before it, the newest last."),
  ])

  private static let stacks = Shape.object([
    .has("format", .integer), .has("reportId", .text.orNull), .has("kind", .text), .has("architecture", .text.orNull),
    .has("os", .text.orNull), .has("process", .object([.has("name", .text.orNull), .has("pid", .integer.orNull)])),
    .may(
      "signal",
      .object([
        .has("number", .integer.orNull), .has("name", .text.orNull), .has("code", .integer.orNull),
        .has("codeName", .text.orNull), .has("address", .text.orNull),
      ])),
    .may("exception", .object([.has("type", .text.orNull), .has("reason", .text.orNull)])),
    .may("durationMs", .number), .may("anr", .flag),
    .has(
      "threads",
      .list(
        of: .object([
          .has("id", .integer.orNull), .has("name", .text.orNull), .has("crashed", .flag), .has("main", .flag),
          .has("truncated", .flag), .has("registers", .map(of: .text)), .has("frames", .list(of: .named("Frame"))),
        ]))),
    .may(
      "samples",
      .list(of: .object([.may("atMs", .number), .has("count", .count), .has("frames", .list(of: .named("Frame")))])),
      "Stacks of the main thread while it hung."),
    .has(
      "images",
      .list(
        of: .object([
          .has("name", .text), .has("path", .text.orNull), .has("uuid", .text.orNull), .has("base", .text.orNull),
          .has("size", .integer.orNull), .has("architecture", .text.orNull),
        ]))),
    .has(
      "breadcrumbs",
      .list(of: .object([.has("timestamp", .time.orNull), .has("category", .text.orNull), .has("message", .text)]))),
    .has("notes", .list(of: .text)),
  ])

  private static let frame = Shape.object([
    .has("address", .text.orNull, "`0x1f`."), .has("image", .integer.orNull, "A place in `images`."),
    .has("offset", .text.orNull, "From where the image's first byte is loaded."),
    .has("symbol", .text.orNull, "Mangled."),
    .has("symbolOffset", .integer.orNull), .has("trust", .text.orNull, "How the frame was found."),
    .has("function", .text.orNull), .has("file", .text.orNull), .has("line", .integer.orNull),
    .has("column", .integer.orNull), .has("inlined", .flag, "Into the function of the next frame."),
    .has("inApp", .flag), .has("symbolicated", .flag), .may("link", .text, "Opens the source."),
    .may(
      "source", .object([.has("path", .text), .has("first", .integer), .has("lines", .list(of: .text))]),
      "The lines around it."),
  ])
}
