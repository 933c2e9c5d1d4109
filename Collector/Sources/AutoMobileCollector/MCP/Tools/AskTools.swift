/// Asking for what devices keep: looked at by everybody, asked for where commands were switched on, with an operator's key.
extension Tool {
  static let listAsks = Tool(
    "list_asks", title: "What is asked of devices",
    summary: """
      What people have asked for of what devices keep (flight recorder mode), the newest first: who, why, and whether it came. \
      Sessions of which there is only a summary may be on their device still.
      """,
    arguments: [
      .app, ToolArgument("session", .text(400), "Only about this session"),
      ToolArgument("user", .text(500), "Only about this user"), .limit(20), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    guard arguments["session"] == nil || arguments["user"] == nil else {
      throw ToolError("pass session or user, not both")
    }
    let page = try await call.api.get(
      ["api", "asks"],
      [
        ("app", arguments["app"]), ("session", arguments["session"]), ("user", arguments["user"]),
        ("limit", String(arguments.limit(20))), ("before", arguments["cursor"]),
      ])
    let asks = page["asks"]?.elements ?? []
    var answer = ToolAnswer("\(asks.count, "ask"), the newest first.")
    for ask in asks { answer.add(askLine(ask)) }
    answer.add(next: page["next"]?.string)
    return answer
  }

  static let askDevices = Tool(
    "ask_devices", title: "Ask for what devices keep",
    summary: """
      Has the devices that keep a session, or what a user, a device or a version recorded, send it: within seconds when the app \
      is in the foreground, else when it is opened. Look for the outcome with list_asks. Undo: automobile fetch --withdraw NUMBER.
      """,
    arguments: [
      ToolArgument("reason", .text(300), "Why, for the list that people read", isRequired: true),
      ToolArgument("session", .text(400), "Id of the session, as find_sessions lists it"),
      ToolArgument("app", .text(200), "Bundle id of the app; of a session it need not be said"),
      ToolArgument("user", .text(500), "Name of the user, exactly"),
      ToolArgument("device", .text(500), "anonymousId of the installation"),
      ToolArgument("version", .text(500), "App version, exactly"),
      ToolArgument("from", .moment, "Events from this time on"), ToolArgument("to", .moment, "Events up to this time"),
    ], isReadOnly: false, isCommand: true
  ) { call in
    let arguments = call.arguments
    var body: [String: JSONTree] = ["reason": .string(arguments.text("reason"))]
    for (name, member) in [
      ("session", "session"), ("user", "user"), ("device", "device"), ("version", "appVersion"), ("app", "bundleId"),
    ] { body[member] = arguments[name].map { .string($0) } }
    guard ["session", "user", "device", "appVersion"].count(where: { body[$0] != nil }) == 1 else {
      throw ToolError("pass one of session, user, device and version")
    }
    body["from"] = arguments.moment("from").map { .integer($0) }
    body["to"] = arguments.moment("to").map { .integer($0) }
    let ask = try await call.api.post(["api", "asks"], .object(body))
    var answer = ToolAnswer("It is asked for. list_asks says when it came.")
    answer.add(askLine(ask))
    return answer
  }

  private static func askLine(_ ask: JSONTree) -> String {
    let state = ask["state"]?.words ?? "?"
    let events = ask["events"]?.integer ?? 0
    let end = ask["gone"]?.string.map { " (\($0))" } ?? ""
    return """
      ask \(ask["id"]?.words ?? "?") · \(ask["kind"]?.words ?? "?") \(ask["subject"]?.words ?? "?") · \(state)\(end), \
      \(events) events came · asked by \(ask["askedBy"]?.words ?? "?") at \(MomentText.text(ask["askedAt"]?.integer ?? 0)) · \
      \(ask["reason"]?.words ?? "")
      """
  }
}
