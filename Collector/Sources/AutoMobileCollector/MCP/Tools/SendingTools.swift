/// What of recordings leaves devices in flight recorder mode: by which rules, what others would have sent, and how much stayed.
extension Tool {
  static let bytesSaved = Tool(
    "bytes_saved", title: "What was not sent",
    summary: """
      What devices kept instead of sending it (flight recorder mode), by app and week: events, and bytes. Of the last 8 weeks, or a \
      time of your choice.
      """,
    arguments: [
      .app, ToolArgument("from", .moment, "From this time on"), ToolArgument("to", .moment, "Up to this time"),
    ]
  ) { call in
    let savings = try await call.api.get(
      ["api", "health", "savings"],
      [("app", call.arguments["app"]), ("from", call.arguments.time("from")), ("to", call.arguments.time("to"))])
    var answer = ToolAnswer("Bytes are those of JSON, before it is compressed; what was not sent is an estimate.")
    answer.add("all", SendingWords.savings(savings))
    for week in savings["weeks"]?.elements ?? [] {
      let begin = MomentText.text(week["week"]?.integer ?? 0).prefix(10)
      answer.add("week of \(begin) · \(week["bundleId"]?.words ?? "–") · \(SendingWords.savings(week))")
    }
    if savings["partial"]?.bool == true {
      answer.add(tail: "There are more weeks and apps: name an app, or a shorter time.")
    }
    return answer
  }

  static let sendingRules = Tool(
    "sending_rules", title: "By which rules recordings leave devices",
    summary: """
      What an app sends, as the collector tells it: everything, or (flight recorder mode) what rules name, with the minutes around it. \
      Try them, or others, with try_sending_rules.
      """,
    arguments: [.itsApp]
  ) { call in
    let section = try await SendingWords.section(of: call.arguments.text("app"), call.api)
    var answer = ToolAnswer("What a collector says counts more than what the app itself is configured to do.")
    for line in SendingWords.lines(section) { answer.add(line) }
    return answer
  }

  static let trySendingRules = Tool(
    "try_sending_rules", title: "What rules would have sent",
    summary: """
      Holds rules for sending against what is stored of an app's last seven days: how often each would have fired, in how many \
      sessions, and how much would have been sent. Without rules, those that the app gets. Nothing is stored or changed.
      """,
    arguments: [
      .itsApp,
      ToolArgument(
        "rules", .text(16_000),
        """
        JSON: {"rules":[{"name":"slow checkout","when":{"request":{"path":"/checkout","atLeastMs":3000}},\
        "send":{"minutesBefore":2,"minutesAfter":1}}]}, as sending_rules shows them
        """),
    ]
  ) { call in
    let app = call.arguments.text("app")
    let section =
      if let text = call.arguments["rules"] {
        try SendingWords.section(in: text)
      } else {
        try await SendingWords.section(of: app, call.api)
      }
    let run = try await call.api.post(["api", "config", app, "try"], .object(["upload": section]))
    var answer = ToolAnswer(
      "Held against what is stored; what stayed on devices is not there. Bytes are before compression.")
    for line in SendingWords.lines(ofTrial: run) { answer.add(line) }
    if run["partial"]?.bool == true {
      answer.add(tail: "There is more than was looked at: it is a part of the seven days.")
    }
    return answer
  }
}

extension ToolArgument {
  fileprivate static let itsApp = ToolArgument(
    "app", .text(200), "Bundle id of the app, as list_apps has it", isRequired: true)
}

/// A configuration's section `upload`, what was held against its rules, and what was saved, in lines.
enum SendingWords {
  /// The one that an app gets.
  static func section(of app: String, _ api: AskedAPI) async throws -> JSONTree {
    try await api.get(["api", "config", app])["effective"]?["upload"] ?? [:]
  }

  /// - Throws: ``ToolError`` when it is none.
  static func section(in text: String) throws -> JSONTree {
    var text = text
    let tree = text.withUTF8 {
      try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: ConfigurationRules.maximumDepth)
    }
    // A whole document is taken, too.
    guard let tree, case .object(let members) = tree["upload"] ?? tree, members["rules"] != nil else {
      throw ToolError("rules must be JSON: an object with an array \"rules\", as sending_rules shows it")
    }
    return .object(members)
  }

  static func lines(_ section: JSONTree) -> [String] {
    let mode =
      switch section["mode"]?.string {
      case "everything": "everything is sent"
      case "whenTriggered": "what rules name is sent, the rest stays on devices"
      default: "as the app itself is configured, which the collector does not know"
      }
    var lines = ["mode: \(mode)"]
    for name in ["keepDays", "bytesPerDay", "cellularBytesPerDay"] {
      if let value = section[name]?.words { lines.append("\(name): \(value)") }
    }
    for rule in section["rules"]?.elements ?? [] { lines.append("rule: \(rule.text)") }
    return lines
  }

  static func lines(ofTrial run: JSONTree) -> [String] {
    func whole(_ tree: JSONTree?, _ name: String) -> Int64 { tree?[name]?.integer ?? 0 }
    func sum(_ name: String) -> String { "\(whole(run[name], "events")) events, \(whole(run[name], "bytes")) bytes" }
    let looked = run["looked"]
    var lines = [
      "looked at: \(whole(looked, "sessions")) sessions in \(whole(looked, "launches")) launches on \(whole(looked, "devices")) devices",
      "everything: \(sum("everything"))", "always sent: \(sum("always"))",
      "sent with these rules: \(sum("total")), of \(whole(run["total"], "sessions")) sessions",
    ]
    for rule in run["rules"]?.elements ?? [] {
      lines.append(
        """
        rule \(rule["name"]?.words ?? "?"): matched \(whole(rule, "matched")) times, fired \(whole(rule, "fired")) \
        (\(whole(rule, "limited")) more than it may a day), \(whole(rule, "sessions")) sessions, \(whole(rule, "devices")) devices, \
        \(whole(rule, "events")) events, \(whole(rule, "bytes")) bytes
        """)
    }
    for problem in run["problems"]?.elements ?? [] {
      lines.append("refused: \(problem["place"]?.words ?? "?"): \(problem["reason"]?.words ?? "")")
    }
    return lines
  }

  static func savings(_ sums: JSONTree) -> String {
    func whole(_ name: String) -> Int64 { sums[name]?.integer ?? 0 }
    return """
      \(whole("savedBytes")) bytes not sent, \(whole("sentBytes")) sent; \(whole("keptEvents")) events kept, \
      \(whole("sentEvents")) sent
      """
  }
}
