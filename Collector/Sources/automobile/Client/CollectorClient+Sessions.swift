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
    let known = try await sessions(search: nil, limit: name == "latest" ? 1 : 2000).compactMap {
      $0["sessionId"]?.string
    }
    let candidates = known.filter { name == "latest" || $0.lowercased().hasPrefix(name.lowercased()) }
    guard let found = candidates.first else {
      if known.isEmpty {
        throw Failure(message: "No sessions yet.", advice: "No data? Run diagnostics: automobile doctor")
      }
      throw Failure(message: "No session “\(Printable.text(name))”.", advice: await advice(insteadOf: name, known))
    }
    guard candidates.count == 1 else {
      let some = candidates.prefix(5).map(Printable.text).joined(separator: ", ")
      throw Failure(
        message: "“\(Printable.text(name))” could be \(candidates.count) sessions: \(some)", advice: "Type more of it.")
    }
    return try await get("/api/sessions/" + Self.segment(found))
  }

  /// What may have been meant by a session's name that there is not: another one's beginning, or a user.
  private func advice(insteadOf name: String, _ known: [String]) async -> String {
    let starts = known.map { id in
      (id: id, start: id.count >= name.count ? String(id.prefix(name.count)) : id)
    }
    if let near = Suggestion.nearest(to: name, among: starts.map(\.start)),
      let id = starts.first(where: { $0.start == near })?.id
    {
      return "Did you mean “\(Printable.text(name.count < 8 ? Self.shortName(of: id) : id))”?"
    }
    if let found = try? await sessions(search: name, limit: 50), !found.isEmpty {
      return "\(Format.plural(found.count, "session")) found by searching for it: "
        + "automobile sessions '\(Printable.text(name))'"
    }
    return "List them with: automobile sessions"
  }

  /// Enough of a session's name to type; `show` takes it.
  static func shortName(of id: String) -> String {
    let prefix = "launch:"
    return id.hasPrefix(prefix) ? prefix + id.dropFirst(prefix.count).prefix(8) : String(id.prefix(8))
  }
}
