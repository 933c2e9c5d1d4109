/// Two sessions side by side.
extension Tool {
  static let compareSessions = Tool(
    "compare_sessions", title: "Compare two sessions",
    summary: """
      What differs between two sessions, one that went wrong and one that went well for example: who and what, counts by \
      type, screens that only one of them saw, requests that failed in only one, errors that only one logged.
      """,
    arguments: [
      ToolArgument("first", .text(400), "Id of a session", isRequired: true),
      ToolArgument("second", .text(400), "Id of the other session", isRequired: true),
    ]
  ) { call in
    let (first, second) = (call.arguments.text("first"), call.arguments.text("second"))
    guard first != second else { throw ToolError("first and second are the same session: pass two") }
    let sides = (try await ComparedSession(first, call.api), try await ComparedSession(second, call.api))
    var answer = ToolAnswer("A is the first session, B the second. Lists are of the newest 1000 events of their kind.")
    answer.add("A: \(SessionWords.line(sides.0.session))")
    answer.add("B: \(SessionWords.line(sides.1.session))")
    let counts = (sides.0.session["counts"]?.members ?? [:], sides.1.session["counts"]?.members ?? [:])
    for type in Set(counts.0.keys).union(counts.1.keys).sorted().prefix(30) {
      answer.add("\(type): A \(counts.0[type]?.words ?? "0"), B \(counts.1[type]?.words ?? "0")", most: 200)
    }
    for (name, list) in [("screens", \ComparedSession.screens), ("failed requests", \.failures), ("errors", \.errors)] {
      answer.add("\(name), only A: \(difference(sides.0[keyPath: list], sides.1[keyPath: list]))", most: 2000)
      answer.add("\(name), only B: \(difference(sides.1[keyPath: list], sides.0[keyPath: list]))", most: 2000)
    }
    answer.add("screens of A in order: \(sides.0.screens.prefix(40).joined(separator: " → "))", most: 1500)
    answer.add("screens of B in order: \(sides.1.screens.prefix(40).joined(separator: " → "))", most: 1500)
    return answer
  }

  private static func difference(_ one: [String], _ other: [String]) -> String {
    let known = Set(other)
    var seen = Set<String>()
    let rest = one.filter { !known.contains($0) && seen.insert($0).inserted }
    return rest.isEmpty ? "–" : rest.prefix(30).joined(separator: "; ")
  }
}

/// What is compared of a session.
private struct ComparedSession: Sendable {
  let session: JSONTree
  let screens: [String]
  /// Method, place and status: what is the same in both is the same here.
  let failures: [String]
  let errors: [String]

  init(_ id: String, _ api: AskedAPI) async throws {
    session = try await api.get(["api", "sessions", id])
    let events = ["api", "sessions", id, "events"]
    screens =
      try await api.get(events, [("type", "navigation"), ("limit", "1000")])["events"]?.elements.compactMap {
        $0["payload"]?["destination"]?.words
      } ?? []
    failures =
      try await api.get(
        ["api", "network"], [("session", id), ("failed", "true"), ("limit", "1000")])["requests"]?.elements.map {
        "\($0["method"]?.words ?? "") \($0["host"]?.words ?? "")\($0["route"]?.words ?? "") \($0["statusCode"]?.words ?? "no answer")"
      } ?? []
    errors =
      try await api.get(
        events, [("type", "log,crash,hang,handled_exception"), ("q", "level:error"), ("limit", "1000")])["events"]?
      .elements.map { EventWords.line($0) } ?? []
  }
}
