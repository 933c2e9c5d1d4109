/// Requests: those that failed first, and one whole.
extension Tool {
  static let listRequests = Tool(
    "list_requests", title: "Requests",
    summary: """
      Requests of one session or of all: those that failed first, then the others, each newest first. Narrow by host, path, \
      status or words. Then get_request for headers and bodies.
      """,
    arguments: [
      ToolArgument("session", .text(400), "Only of this session"), .app,
      ToolArgument("failed_only", .flag, "Leave out those that succeeded"),
      ToolArgument("method", .text(40), "GET, POST …; several with commas"),
      ToolArgument("status", .text(60), "404, 5xx, none (no answer) or unfinished; several with commas"),
      ToolArgument("host", .text(200), "Host; * stands for anything"),
      ToolArgument("path", .text(500), "Path without the query; * stands for anything"),
      ToolArgument("min_ms", .number(0...1_000_000_000), "Took at least so many milliseconds"),
      .query("status:>=500, host:api.*, duration:>1s, user:mira"), .limit(40), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    let limit = arguments.limit(40)
    // The failed ones come first: a cursor says in which of the two lists it goes on.
    let place =
      arguments["cursor"]?.split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init) ?? ["f", ""]
    guard place.count == 2, ["f", "o"].contains(place[0]) else {
      throw ToolError("cursor is not from this answer: leave it out to begin at the start")
    }
    let filter = [
      ("session", arguments["session"]), ("app", arguments["app"]), ("method", arguments["method"]),
      ("status", arguments["status"]), ("host", arguments["host"]), ("path", arguments["path"]),
      ("minMs", arguments["min_ms"]), ("q", arguments["query"]),
    ]
    var isFailed = place[0] == "f"
    var cursor = place[1].isEmpty ? nil : place[1]
    var rows: [JSONTree] = []
    var next: String?
    // Each look at a list takes a while; a cursor goes on where this many of them did not do.
    for _ in 0..<8 where rows.count < limit {
      let page = try await call.api.get(
        ["api", "network"],
        filter + [("failed", isFailed ? "true" : nil), ("limit", String(limit - rows.count)), ("before", cursor)])
      let found = page["requests"]?.elements ?? []
      rows += isFailed ? found : found.filter { $0["failed"]?.bool != true }
      cursor = page["next"]?.string
      next = cursor.map { (isFailed ? "f:" : "o:") + $0 }
      if cursor != nil, !found.isEmpty { continue }
      guard isFailed, !arguments.flag("failed_only"), cursor == nil else { break }
      isFailed = false
      next = "o:"
    }
    var answer = ToolAnswer(
      "\(rows.count, "request"), failed ones first. Columns: time, number, what was asked, outcome, session.")
    answer.add(head: call.api.linkTemplate)
    for row in rows {
      answer.add(line(row, inSession: arguments["session"] != nil), most: ToolAnswer.width(rows: limit))
    }
    answer.add(next: next)
    return answer
  }

  static let getRequest = Tool(
    "get_request", title: "One request",
    summary: "One request whole: URL, headers, bodies as far as they were recorded, phases, error. Long ones in pages.",
    arguments: [
      ToolArgument("event", .number(0...Int64.max), "Number of the request: #123 is 123", isRequired: true), .cursor,
    ]
  ) { call in
    try await requestAnswer(call.arguments.text("event"), cursor: call.arguments["cursor"], call.api)
  }

  static func requestAnswer(_ event: String, cursor: String?, _ api: AskedAPI) async throws -> ToolAnswer {
    let text = try await api.bytes(["api", "network", event, "text"])
    var answer = ToolAnswer("One request, as it was recorded. Secrets were left out by the app.")
    try answer.add(page: RecordedText.lines(String(buffer: text), width: 1000), from: cursor)
    return answer
  }

  private static func line(_ row: JSONTree, inSession: Bool) -> String {
    let status = row["statusCode"]?.words ?? (row["unfinished"]?.bool == true ? "unfinished" : "no answer")
    let parts: [String?] = [
      MomentText.text(row["timestamp"]?.integer ?? 0), "#\(row["id"]?.words ?? "")",
      "\(row["method"]?.words ?? "") \(row["host"]?.words ?? "")\(row["path"]?.words ?? "")"
        + (row["query"]?.words.map { "?" + $0 } ?? ""),
      row["failed"]?.bool == true ? "FAILED \(status)" : status,
      row["durationMs"]?.number.map(MomentText.duration), row["error"]?.words,
      row["mockRule"]?.words.map { "answered by mock \($0)" }, row["tracerId"]?.words.map { "tracer \($0)" },
      inSession ? nil : row["sessionId"]?.words.map { "session \($0)" },
      inSession ? nil : row["userId"]?.words.map { "user \($0)" },
    ]
    return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
