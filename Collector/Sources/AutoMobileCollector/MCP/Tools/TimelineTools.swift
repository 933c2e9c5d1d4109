/// What happened, in the order of time.
extension Tool {
  static let timeline = Tool(
    "timeline", title: "Timeline of a session",
    summary: """
      The events of a session in order: screens, taps, requests, logs, hangs, crashes. With `at` or `event`, what happened \
      around that moment (marked >>): use it to see what led up to a failure. Without, from the beginning.
      """,
    arguments: [
      .session, ToolArgument("at", .moment, "The moment to look around"),
      ToolArgument("event", .number(0...Int64.max), "The event to look around, by its number: #123 is 123"),
      ToolArgument("before", .number(0...86_400), "Seconds before the moment; 30 without it"),
      ToolArgument("after", .number(0...86_400), "Seconds after the moment; 10 without it"),
      ToolArgument(
        "types", .text(300),
        "Only these types, with commas: navigation,interaction,network_request,log,custom,crash,hang,lifecycle"),
      .query("level:warning, message:declined, status:>=500"), .limit(60), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    let limit = arguments.limit(60)
    let part = try await TimelineAround(arguments, call.api).events(limit)
    var answer =
      if let middle = part.middle {
        ToolAnswer("\(part.events.count, "event") around \(time: middle). +0 ms is that moment.")
      } else {
        ToolAnswer("\(part.events.count, "event").")
      }
    answer.add(head: "Columns: time, number of the event, what happened.")
    answer.add(head: call.api.linkTemplate)
    for event in part.events { answer.add(line(event, arguments, part.middle), most: ToolAnswer.width(rows: limit)) }
    if part.isCutBefore {
      answer.add(tail: "Before these there are more within that time: pass types, a query, or a higher limit.")
    }
    answer.add(next: part.next)
    return answer
  }

  static let searchLogs = Tool(
    "search_logs", title: "Logs",
    summary: "Log lines, of one session in order, or of all sessions newest first. For words, a level, a tag.",
    arguments: [
      ToolArgument("session", .text(400), "Only of this session"),
      ToolArgument(
        "level", .choice(["debug", "info", "warning", "error", "fatal"]), "This level and worse"),
      .query("tag:payment, message:\"card declined\", app:coffeeshop"), .limit(50), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    let limit = arguments.limit(50)
    let words = [arguments["level"].map { "level:\($0)" }, arguments["query"].map { "(\($0))" }].compactMap { $0 }
    let query = words.isEmpty ? nil : words.joined(separator: " ")
    let shared = [("type", "log" as String?), ("q", query), ("limit", String(limit))]
    let session = arguments["session"]
    let page =
      if let session {
        try await call.api.get(["api", "sessions", session, "events"], shared + [("after", arguments["cursor"])])
      } else {
        try await call.api.get(["api", "events"], shared + [("before", arguments["cursor"])])
      }
    let events = page["events"]?.elements ?? []
    var answer = ToolAnswer(
      "\(events.count, "line"). Columns: time, number of the event, level, tag, message, session.")
    answer.add(head: call.api.linkTemplate)
    for event in events {
      let place = session == nil ? " · session \(event["sessionId"]?.words ?? "")" : ""
      answer.add(
        "\(MomentText.text(event["timestamp"]?.integer ?? 0)) #\(event["id"]?.words ?? "") \(EventWords.line(event))\(place)",
        most: ToolAnswer.width(rows: limit))
    }
    answer.add(next: page["next"]?.string)
    return answer
  }

  private static func line(_ event: JSONTree, _ arguments: ToolArguments, _ middle: Int64?) -> String {
    let time = event["timestamp"]?.integer ?? 0
    let number = event["id"]?.words ?? ""
    guard let middle else { return "\(MomentText.text(time)) #\(number) \(EventWords.line(event))" }
    let (distance, isFar) = time.subtractingReportingOverflow(middle)
    let isMeant = arguments.number("event").map { String($0) == number } ?? false
    let offset = isFar ? "?" : "\(distance < 0 ? "−" : "+")\(MomentText.duration(Double(distance.magnitude)))"
    return "\(isMeant ? ">> " : "")\(offset) #\(number) \(EventWords.line(event))"
  }
}
