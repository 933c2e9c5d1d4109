import Foundation

/// What agents ask, at the server's door: `collector-bench agent [--sessions N] [--events N]`.
///
/// Each tool that reads, about a collector with many sessions, by the Model Context Protocol over HTTP. An answer without the word that it
/// must have, or larger than 20 KB, ends the program.
enum AgentFigure {
  private static let limitMs = 100.0
  private static let limitBytes = 20_000

  static func run(_ value: (String) -> String?) throws {
    let story = Story(
      sessions: value("--sessions").flatMap { Int($0) } ?? 200,
      events: value("--events").flatMap { Int($0) } ?? 500_000)
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
    var word: String
  }

  private static func calls(_ story: Story, _ connection: Connection) throws -> [Call] {
    func first(_ path: String, _ list: String) throws -> [String: Any] {
      guard let found = (try connection.json(path)?[list] as? [[String: Any]])?.first else {
        throw Failure("\(path) has no \(list)")
      }
      return found
    }
    let session = try first("/api/sessions?limit=1", "sessions")["sessionId"] as? String ?? ""
    let other = try first("/api/sessions?q=user1@&limit=1", "sessions")["sessionId"] as? String ?? ""
    let request = try first("/api/network?limit=1&failed=true", "requests")["id"] as? Int ?? 0
    let issue = try first("/api/issues?limit=1&kind=crash", "issues")["id"] as? String ?? ""
    return [
      Call(tool: "list_apps", arguments: [:], word: Story.app),
      Call(tool: "find_sessions", arguments: ["has": ["crash"]], word: "crash: Crash in"),
      Call(tool: "get_session", arguments: ["session": session], word: "network_request="),
      Call(tool: "timeline", arguments: ["session": session], word: "request "),
      Call(tool: "list_requests", arguments: [:], word: "FAILED"),
      Call(tool: "get_request", arguments: ["event": request], word: "503"),
      Call(tool: "list_issues", arguments: ["kind": "crash"], word: issue),
      Call(tool: "get_issue", arguments: ["issue": issue], word: "REPORT of event"),
      Call(tool: "search_logs", arguments: ["query": "declined"], word: "declined"),
      Call(tool: "compare_sessions", arguments: ["first": session, "second": other], word: "only A"),
      Call(tool: "compare_versions", arguments: ["app": Story.app, "old": "1.0", "new": "1.1"], word: "issues"),
      Call(tool: "app_health", arguments: ["app": Story.app], word: "crash-free"),
      Call(tool: "list_asks", arguments: [:], word: "0 asks"),
    ]
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
    guard text.contains(call.word) else {
      throw Failure("\(call.tool) says nothing of \(call.word): \(text.prefix(800))")
    }
    guard text.utf8.count <= limitBytes else { throw Failure("\(call.tool) has \(text.utf8.count) bytes") }
    return text.utf8.count
  }
}
