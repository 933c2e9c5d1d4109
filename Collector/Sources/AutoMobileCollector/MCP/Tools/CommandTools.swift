/// Tools that reach into a debug build that runs: listed only where they were switched on, and asked with an operator's key.
extension Tool {
  private static let target = ToolArgument(
    "app", .text(200), "Bundle id of an app that listens, as list_listening_apps has it", isRequired: true)

  static let listListeningApps = Tool(
    "list_listening_apps", title: "Debug builds that listen",
    summary: "Debug builds that run now and take commands, with the commands that each takes.", isCommand: true
  ) { call in
    let known = try await call.api.get(["api", "commands"])["listeners"]?.elements ?? []
    var answer = ToolAnswer(
      "\(known.count, "app") that listen. None: start a debug build that delivers to this collector.")
    for listener in known {
      let commands = listener["commands"]?.elements.compactMap(\.string) ?? []
      answer.add(
        "\(listener["bundleId"]?.words ?? "?") · launch \(listener["launchId"]?.words ?? "?") · "
          + commands.joined(separator: ", "))
    }
    return answer
  }

  static let queryDatabase = Tool(
    "query_database", title: "Query a database of the app",
    summary: """
      Read-only SQL on an SQLite database of a debug build that runs. Without sql, its tables; without a database, which \
      databases there are. Statements that change something are refused by the app.
      """,
    arguments: [
      target, ToolArgument("database", .text(500), "Name or path of the database"),
      ToolArgument("sql", .text(8000), "One SELECT statement; put a LIMIT into it"), .cursor,
    ], isCommand: true
  ) { call in
    let database = call.arguments["database"]
    let sql = call.arguments["sql"]
    guard database != nil || sql == nil else {
      throw ToolError("pass the database that sql is for; without both, they are listed")
    }
    var arguments: [String: JSONTree] = [:]
    arguments["database"] = database.map { .string($0) }
    arguments["sql"] = sql.map { .string($0) }
    let name = database == nil ? "databases" : sql == nil ? "database.tables" : "database.query"
    return try await command(name, .object(arguments), call)
  }

  static let readDefaults = Tool(
    "read_defaults", title: "Preferences of the app",
    summary:
      "UserDefaults of a debug build that runs: all keys, or one. Values whose names suggest a secret are not shown.",
    arguments: [
      target, ToolArgument("suite", .text(200), "Suite; the standard one without it"),
      ToolArgument("key", .text(500), "Only this key"), .cursor,
    ], isCommand: true
  ) { call in
    var arguments: [String: JSONTree] = [:]
    arguments["suite"] = call.arguments["suite"].map { .string($0) }
    arguments["key"] = call.arguments["key"].map { .string($0) }
    return try await command(arguments["key"] == nil ? "defaults.list" : "defaults.get", .object(arguments), call)
  }

  static let addMockRule = Tool(
    "add_mock_rule", title: "Answer requests of debug builds",
    summary: """
      Adds a rule by which debug builds of an app answer matching requests themselves, or replaces the one of that id; it \
      stays until somebody removes it (automobile mock remove), or as long as expires_in says. Release builds ignore it.
      """,
    arguments: [
      ToolArgument("app", .text(200), "Bundle id of the app", isRequired: true),
      ToolArgument("id", .text(128), "Name of the rule, which recordings show", isRequired: true),
      ToolArgument("method", .text(32), "Only this method"),
      ToolArgument("host", .text(256), "Host; * stands for anything"),
      ToolArgument("path", .text(1024), "Path without the query; * stands for anything"),
      ToolArgument("status", .number(200...599), "Status that it answers; this or failure"),
      ToolArgument("body", .text(60_000), "Body that it answers"),
      ToolArgument("content_type", .text(100), "Of the body; application/json without it"),
      ToolArgument("failure", .text(60), "Fail instead: timedOut, notConnectedToInternet, networkConnectionLost …"),
      ToolArgument("delay_ms", .number(0...60_000), "Wait so long before"),
      ToolArgument("count", .number(1...1_000_000), "How many requests it answers in each launch"),
      ToolArgument("expires_in", .number(1...31_536_000), "Seconds until it is over"),
    ], isReadOnly: false, isCommand: true
  ) { call in
    let arguments = call.arguments
    guard (arguments["status"] == nil) != (arguments["failure"] == nil) else {
      throw ToolError("pass either status or failure: what matching requests get")
    }
    let app = arguments.text("app")
    let document = try await call.api.get(["api", "config", app])
    guard var sections = document["document"]?.members else {
      throw ToolError("the app's configuration cannot be read")
    }
    let rule = mockRule(arguments)
    sections["mocks"] = .array((sections["mocks"]?.elements ?? []).filter { $0["id"] != rule["id"] } + [rule])
    sections["version"] = document["version"]
    _ = try await call.api.put(["api", "config", app], .object(sections))
    var answer = ToolAnswer(
      "The rule is set. Debug builds that listen have it at once, others with their next delivery.")
    answer.add("rule: \(rule.text)", most: 2000)
    answer.add("undo: automobile mock remove \(app) \(arguments.text("id"))")
    return answer
  }

  private static func mockRule(_ arguments: ToolArguments) -> JSONTree {
    func text(_ name: String) -> JSONTree? { arguments[name].map { .string($0) } }
    var match: [String: JSONTree] = [:]
    match["method"] = arguments["method"].map { .string($0.uppercased()) }
    match["host"] = text("host")
    match["path"] = text("path")
    var respond: [String: JSONTree] = [:]
    respond["status"] = arguments.number("status").map { .integer($0) }
    respond["failure"] = text("failure")
    respond["delayMs"] = arguments.number("delay_ms").map { .integer($0) }
    if arguments["status"] != nil, let body = text("body") {
      respond["body"] = body
      respond["headers"] = ["Content-Type": .string(arguments["content_type"] ?? "application/json")]
    }
    var rule: [String: JSONTree] = ["id": .string(arguments.text("id")), "respond": .object(respond)]
    if !match.isEmpty { rule["match"] = .object(match) }
    rule["count"] = arguments.number("count").map { .integer($0) }
    rule["expiresAt"] = arguments.number("expires_in").map { .integer(WallClock.now + $0 * 1000) }
    return .object(rule)
  }

  /// Has an app do something; its answer is as little to be trusted as what it recorded.
  private static func command(_ name: String, _ arguments: JSONTree, _ call: ToolCall) async throws -> ToolAnswer {
    let told = try await call.api.post(
      ["api", "commands"],
      [
        "command": .string(name), "bundleId": .string(call.arguments.text("app")), "arguments": arguments,
        "timeoutSeconds": 15,
      ])["answer"]
    guard let result = told?["result"] else {
      var answer = ToolAnswer("The app did not do this. It says:")
      answer.add(told?["error"]?["message"]?.words ?? "nothing")
      answer.isError = true
      return answer
    }
    var answer = ToolAnswer("The app answers:")
    let rows = result["rows"]?.elements ?? []
    let isTable = !rows.isEmpty
    let head = isTable ? [result["columns"]?.words ?? ""] : result.members.sorted { $0.key < $1.key }.flatMap(lines)
    let texts = head + (isTable ? rows.map { $0.words ?? "" } : [])
    try answer.add(page: texts.flatMap { RecordedText.lines($0, width: 1000) }, from: call.arguments["cursor"])
    return answer
  }

  private static func lines(_ name: String, _ value: JSONTree) -> [String] {
    guard case .array(let elements) = value else { return ["\(name): \(value.words ?? "null")"] }
    return ["\(name) (\(elements.count)):"]
      + elements.map { $0.members.isEmpty ? $0.words ?? "" : EventWords.pairs($0) }
  }
}
