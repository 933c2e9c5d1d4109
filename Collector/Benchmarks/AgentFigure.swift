import Foundation

/// What agents ask, at the server's door: `collector-bench agent [--sessions N] [--events N]`.
///
/// Each tool that reads, about a collector with many sessions, by the Model Context Protocol over HTTP. An answer that does not hold what the
/// ``Story`` says, or is larger than 20 KB, ends the program.
enum AgentFigure {
  private static let limitMs = 100.0
  private static let limitBytes = 20_000
  /// As many as a page of the list has.
  private static let asks = 20
  /// Of more, *App health* looks at the newest.
  private static let requestsOfHealth = 200_000

  static func run(_ value: (String) -> String?) throws {
    let story = Story(
      sessions: value("--sessions").flatMap { Int($0) } ?? 200,
      events: value("--events").flatMap { Int($0) } ?? 500_000)
    // With fewer some kinds of events would not be there, and an answer without them would be right.
    guard story.sessions > 1, story.events / story.sessions >= 1000 else {
      throw Failure("give it two sessions or more, with a thousand events each")
    }
    try Server.withDirectory { directory in
      try Server.with(directory, fullText: true) { server in
        try story.send(to: server.port)
        try server.waitForIndex(story.events)
        let connection = try Connection(port: server.port)
        print(
          "Agents: \(story.sessions) sessions, \(story.events) events; milliseconds at the server's door, median and slowest of nine"
        )
        for call in try calls(story, connection) { print(try measure(call, connection)) }
      }
    }
  }

  private struct Call {
    var tool: String
    var arguments: [String: Any]
    /// What must be said. No number in it is a part of a longer one.
    var words: [String]
    /// How many lines of what was recorded must have what.
    var lines: (word: String, count: Int)?
  }

  private static func calls(_ story: Story, _ connection: Connection) throws -> [Call] {
    func first(_ path: String, _ list: String) throws -> [String: Any] {
      guard let found = (try connection.json(path)?[list] as? [[String: Any]])?.first else {
        throw Failure("\(path) has no \(list)")
      }
      return found
    }
    /// Many may be of one user: it is the newest of them.
    func session(_ number: Int) throws -> String {
      let found = try first("/api/sessions?user=\(Story.user(number))&limit=1", "sessions")
      guard let id = found["sessionId"] as? String else { throw Failure("a session has no id: \(found)") }
      return id
    }
    let (newest, other) = (story.sessions - 1, story.sessions - 2)
    let (id, otherId) = (try session(newest), try session(other))
    let request = try first("/api/network?limit=1&failed=true", "requests")
    let issue = try first("/api/issues?limit=1&kind=crash", "issues")["id"] as? String ?? ""
    try ask(connection)

    let crashed = min(20, story.countSessions(Story.crashes))
    let (events, requests) = (story.share(of: newest), story.count(in: newest, Story.isRequest))
    let shown = min(60, events)
    let listed = min(40, story.count(Story.isRequest))
    let failed = min(40, story.count(Story.isFailed))
    let declined = min(50, story.count(Story.isDeclined))
    let crashes = Set((0..<story.sessions).filter(Story.crashes).map(Story.function)).count
    let reports = story.countSessions { Story.crashes($0) && Story.function($0) == Story.function(story.lastCrash) }
    return [
      Call(tool: "list_apps", arguments: [:], words: ["1 app.", "| \(Story.app): \(story.versions)\n"]),
      Call(
        tool: "find_sessions", arguments: ["has": ["crash"]], words: [counted(crashed, "session")],
        lines: ("crash: Crash in", crashed)),
      Call(
        tool: "get_session", arguments: ["session": id],
        words: ["\(Story.user(newest)) ", " · \(events) events", "network_request=\(requests)"]),
      Call(
        tool: "timeline", arguments: ["session": id], words: [counted(shown, "event")],
        lines: (" request ", (0..<shown).count(where: Story.isRequest))),
      Call(
        tool: "list_requests", arguments: [:], words: [counted(listed, "request")], lines: ("FAILED 503", failed)),
      Call(
        tool: "get_request", arguments: ["event": request["id"] as? Int ?? 0],
        words: ["\(request["path"] as? String ?? "?")?page=", ", 503 Service Unavailable"]),
      Call(
        tool: "list_issues", arguments: ["kind": "crash"], words: [counted(crashes, "issue"), issue],
        lines: (" · crash · ", crashes)),
      Call(
        tool: "get_issue", arguments: ["issue": issue], words: ["\(reports) reports", "REPORT of event"],
        lines: ("report #", min(10, reports))),
      Call(
        tool: "search_logs", arguments: ["query": "declined"], words: [counted(declined, "line")],
        lines: ("card declined", declined)),
      compareSessions(story, (newest, id), (other, otherId)),
      compareVersions(story),
      appHealth(story),
      Call(tool: "list_asks", arguments: [:], words: [counted(asks, "ask")], lines: (" · user ", asks)),
    ]
  }

  /// As answers begin.
  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private static func compareSessions(
    _ story: Story, _ first: (number: Int, id: String), _ second: (number: Int, id: String)
  ) -> Call {
    /// As the tool lists what one has and the other has not.
    func only(_ one: [String], _ other: [String]) -> String {
      var seen = Set(other)
      let rest = one.filter { seen.insert($0).inserted }
      return rest.isEmpty ? "–" : rest.prefix(30).joined(separator: "; ")
    }
    let (a, b) = (first.number, second.number)
    let (screens, otherScreens) = (story.screens(of: a), story.screens(of: b))
    let (requests, otherRequests) = (story.count(in: a, Story.isRequest), story.count(in: b, Story.isRequest))
    func inOrder(_ screens: [String]) -> String { screens.prefix(40).joined(separator: " → ") }
    return Call(
      tool: "compare_sessions", arguments: ["first": first.id, "second": second.id],
      words: [
        "| network_request: A \(requests), B \(otherRequests)\n",
        "| screens, only A: \(only(screens, otherScreens))\n", "| screens, only B: \(only(otherScreens, screens))\n",
        "| screens of A in order: \(inOrder(screens))\n", "| screens of B in order: \(inOrder(otherScreens))\n",
        "| failed requests, only A: \(only(story.failures(of: a), story.failures(of: b)))\n",
        // The first of them: what one session says at a place, the one before it does not.
        "| errors, only A: log ERROR [\(Story.word(17, a))] message 17 of the roastery, card declined",
      ])
  }

  private static func compareVersions(_ story: Story) -> Call {
    func sessions(_ version: Int) -> [Int] { (0..<story.sessions).filter { Story.version($0) == version } }
    let (old, new) = (sessions(0), sessions(1))
    let (oldIssues, newIssues) = (story.issues(of: old), story.issues(of: new))
    func requests(_ sessions: [Int]) -> Int {
      min(requestsOfHealth, sessions.reduce(0) { $0 + story.count(in: $1, Story.isRequest) })
    }
    return Call(
      tool: "compare_versions", arguments: ["app": Story.app, "old": "1.0", "new": "1.1", "from": story.beginning],
      words: [
        "| sessions: \(old.count), \(old.count(where: Story.crashes)) crashed",
        " → \(new.count), \(new.count(where: Story.crashes)) crashed",
        " of \(requests(old)) failed → ", " of \(requests(new)) failed\n",
        "issues of the newer version only (\(newIssues.subtracting(oldIssues).count)):",
        "issues of the older version only (\(oldIssues.subtracting(newIssues).count)):",
      ])
  }

  private static func appHealth(_ story: Story) -> Call {
    let hanging = story.countSessions { story.count(in: $0, Story.isHang) > 0 }
    return Call(
      tool: "app_health", arguments: ["app": Story.app, "from": story.beginning],
      words: [
        "| sessions: \(story.sessions), \(story.countSessions(Story.crashes)) crashed",
        "| hangs: \(story.count(Story.isHang)) in \(hanging) sessions",
        " of \(min(requestsOfHealth, story.count(Story.isRequest))) failed\n",
      ])
  }

  /// Asks for what devices keep, so that there is something to be listed.
  private static func ask(_ connection: Connection) throws {
    for number in 0..<asks {
      let body = #"{"bundleId":"\#(Story.app)","user":"\#(Story.user(number))","reason":"ticket \#(number)"}"#
      let request = """
        POST /api/asks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Content-Length: \(body.utf8.count)\r\n\r\n\(body)
        """
      guard connection.exchange(Array(request.utf8)) else { throw Failure("the collector did not take \(body)") }
    }
  }

  private static func measure(_ call: Call, _ connection: Connection) throws -> String {
    let message: [String: Any] = [
      "jsonrpc": "2.0", "id": 1, "method": "tools/call",
      "params": [
        "name": call.tool, "arguments": call.arguments,
        "_meta": [
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": [String: Any](),
        ] as [String: Any],
      ] as [String: Any],
    ]
    let body = try JSONSerialization.data(withJSONObject: message)
    let head = """
      POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
      Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: \(version)\r\nMcp-Method: tools/call\r\n\
      Mcp-Name: \(call.tool)\r\nContent-Length: \(body.count)\r\n\r\n
      """
    var times: [Double] = []
    var bytes = 0
    // Once to warm up.
    for round in 0..<10 {
      let start = DispatchTime.now().uptimeNanoseconds
      guard let answer = connection.answer(to: Array(head.utf8) + Array(body)) else { throw Failure("no connection") }
      if round > 0 { times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6) }
      bytes = try checked(answer, call)
    }
    times.sort()
    let columns = [times[times.count / 2], times[times.count - 1]].map { milliseconds in
      let text = String(format: "%.1f", milliseconds)
      return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
    let name = call.tool.padding(toLength: 18, withPad: " ", startingAt: 0)
    let missed = times[times.count / 2] > limitMs ? "  over \(Int(limitMs))" : ""
    return "  \(name)\(columns.joined())\(missed)  (\(bytes) bytes)"
  }

  private static let version = "2026-07-28"

  /// How large the answer's text is.
  private static func checked(_ answer: String, _ call: Call) throws -> Int {
    guard answer.hasPrefix("HTTP/1.1 200"), let end = answer.range(of: "\r\n\r\n"),
      let body = try JSONSerialization.jsonObject(with: Data(answer[end.upperBound...].utf8)) as? [String: Any],
      let result = body["result"] as? [String: Any], result["isError"] as? Bool != true
    else { throw Failure("\(call.tool) \(call.arguments) was refused: \(answer.suffix(400))") }
    let text = (result["content"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }.joined()
    for words in call.words where !says(text, words) {
      throw Failure("\(call.tool) says nothing of \(words): \(text.prefix(4000))")
    }
    if let lines = call.lines {
      let found = text.split(separator: "\n").count { $0.hasPrefix("| ") && $0.contains(lines.word) }
      guard found == lines.count else {
        throw Failure("\(call.tool) has \(found) lines with \(lines.word), and must have \(lines.count)")
      }
    }
    guard text.utf8.count <= limitBytes else { throw Failure("\(call.tool) has \(text.utf8.count) bytes") }
    return text.utf8.count
  }

  private static func says(_ text: String, _ words: String) -> Bool {
    func isNumber(_ character: Character?) -> Bool { character?.isNumber ?? false }
    return text.ranges(of: words).contains { range in
      // "120 asks" does not say "20 asks".
      let beginsBefore = isNumber(words.first) && isNumber(text[..<range.lowerBound].last)
      let goesOn = isNumber(words.last) && isNumber(text[range.upperBound...].first)
      return !beginsBefore && !goesOn
    }
  }
}

/// What the tools have to say of it.
extension Story {
  fileprivate static func version(_ session: Int) -> Int { session % 5 }
  /// In which it crashes.
  fileprivate static func function(_ session: Int) -> Int { session % 12 }
  fileprivate static func isFailed(_ index: Int) -> Bool { isRequest(index) && status(index) == 503 }

  /// The newest first.
  fileprivate var versions: String {
    Set((0..<sessions).map(Self.version)).sorted(by: >).map { "1.\($0)" }.joined(separator: ", ")
  }

  /// Before the first session, which is as old as the time that is looked at when nobody says.
  fileprivate var beginning: Int { Int(Date().timeIntervalSince1970 * 1000) - 15 * 86_400_000 }

  /// But for the crash.
  private func indices(of session: Int) -> Range<Int> { 0..<share(of: session) - (Self.crashes(session) ? 1 : 0) }

  fileprivate func screens(of session: Int) -> [String] {
    indices(of: session).filter { (75..<85).contains($0 % 100) }.map {
      "\(Self.word($0, session).capitalized)\($0 % 40)"
    }
  }

  /// The newest first, with what stands in the place of a number.
  fileprivate func failures(of session: Int) -> [String] {
    indices(of: session).reversed().filter(Self.isFailed).map { index in
      let place = Self.isCheckout(index) ? "checkout" : Self.word(index, session)
      return "\(index % 5 == 0 ? "POST" : "GET") \(Self.host(index))/v1/\(place)/:id 503"
    }
  }

  /// By what they are told apart.
  fileprivate func issues(of sessions: [Int]) -> Set<String> {
    var found = Set<String>()
    for session in sessions {
      if Self.crashes(session) { found.insert("crash \(Self.function(session))") }
      for index in indices(of: session) {
        if Self.isHang(index) { found.insert("hang \(Self.word(index, session))") }
        if Self.isFailure(index) { found.insert("failure \(Self.word(index, session))") }
      }
    }
    return found
  }
}
