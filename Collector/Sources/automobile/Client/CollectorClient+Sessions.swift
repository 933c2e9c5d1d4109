extension CollectorClient {
  /// Newest first, as many pages as it takes.
  func sessions(search: String?, limit: Int) async throws -> [JSON] {
    var sessions: [JSON] = []
    var cursor: String?
    repeat {
      let page = try await get(
        "/api/sessions", [("q", search), ("limit", String(min(200, limit - sessions.count))), ("before", cursor)])
      sessions += page["sessions"]?.array ?? []
      cursor = page["next"]?.string
    } while cursor != nil && sessions.count < limit
    return sessions
  }

  /// The session of a name, of an unambiguous beginning of one, or the newest (`latest`).
  func session(named name: String) async throws -> JSON {
    if name != "latest" {
      let answer = try await raw("/api/sessions/" + Self.segment(name))
      switch answer.status {
      case 200: return try await get("/api/sessions/" + Self.segment(name))
      case 404: break
      default: throw refusal(status: answer.status, body: answer.body)
      }
    }
    let candidates = try await sessions(search: nil, limit: name == "latest" ? 1 : 2000)
      .compactMap { $0["sessionId"]?.string }
      .filter { name == "latest" || $0.lowercased().hasPrefix(name.lowercased()) }
    guard let found = candidates.first else {
      throw Failure(
        message: name == "latest" ? "There are no sessions yet." : "There is no session “\(Printable.text(name))”.",
        advice: "List them with: automobile sessions")
    }
    guard candidates.count == 1 else {
      let some = candidates.prefix(5).map(Printable.text).joined(separator: ", ")
      throw Failure(
        message: "“\(Printable.text(name))” could be \(candidates.count) sessions: \(some)", advice: "Give more of it.")
    }
    return try await get("/api/sessions/" + Self.segment(found))
  }

  /// Enough of a session's name to type; `show` takes it.
  static func shortName(of id: String) -> String {
    let prefix = "launch:"
    return id.hasPrefix(prefix) ? prefix + id.dropFirst(prefix.count).prefix(8) : String(id.prefix(8))
  }
}
