/// Finding sessions, and what is known of one.
extension Tool {
  static let listApps = Tool(
    "list_apps", title: "Apps",
    summary: "The apps that have been recorded, with their versions, newest first. A good first call."
  ) { call in
    let known = try await call.api.get(["api", "apps"])
    let apps = known["apps"]?.elements ?? []
    var answer = ToolAnswer("\(apps.count, "app"). Go on with find_sessions, list_issues or app_health.")
    for app in apps {
      let versions = app["versions"]?.elements.compactMap(\.string) ?? []
      answer.add(
        "\(app["bundleId"]?.words ?? "(no bundle id)"): \(versions.prefix(20).joined(separator: ", "))", most: 500)
    }
    return answer
  }

  static let findSessions = Tool(
    "find_sessions", title: "Find sessions",
    summary: """
      Sessions of apps, newest first: who, when, how long, on what, how it ended, what went wrong. Use it to find the \
      session that a person means (user, time, screen, error), then timeline, list_requests or screen_picture in it.
      """,
    arguments: [
      .query("user:mira, screen:checkout, url:/v1/orders, has:crash, version:2.4"), .app,
      ToolArgument("version", .text(100), "App version, exactly"),
      ToolArgument("user", .text(200), "User id, or a part of it"),
      ToolArgument(
        "has", .choices(SessionFilter.has), "Only sessions with all of these; live: still running"),
      ToolArgument("from", .moment, "Only what lies after this time"),
      ToolArgument("to", .moment, "Only what lies before this time"),
      ToolArgument(
        "sort", .choice(["newest", "longest", "events", "errors", "relevance"]), "Which first; newest without it"),
      .limit(20), .cursor,
    ]
  ) { call in
    let arguments = call.arguments
    let limit = arguments.limit(20)
    let found = try await call.api.get(
      ["api", "sessions"],
      [
        ("q", arguments["query"]), ("app", arguments["app"]), ("version", arguments["version"]),
        ("user", arguments["user"]), ("from", arguments.time("from")), ("to", arguments.time("to")),
        ("sort", arguments["sort"]), ("limit", String(limit)), ("before", arguments["cursor"]),
      ] + arguments.strings("has").map { ("has", $0) })
    let sessions = found["sessions"]?.elements ?? []
    var answer = ToolAnswer(
      "\(sessions.count, "session"). Columns: session, user, app version, device, begin, length, events, errors, end.")
    answer.add(head: call.api.linkTemplate)
    for session in sessions { answer.add(SessionWords.line(session), most: ToolAnswer.width(rows: limit)) }
    answer.add(next: found["next"]?.string)
    return answer
  }

  static let getSession = Tool(
    "get_session", title: "One session",
    summary:
      "Everything about one session: user, device, tags, counts by type, how each launch ended, losses of recording.",
    arguments: [.session]
  ) { call in
    try await SessionWords.answer(of: call.arguments.text("session"), call.api)
  }
}

/// A session in words.
enum SessionWords {
  static func line(_ session: JSONTree) -> String {
    let first = session["first"]?.integer
    let last = session["last"]?.integer
    let length = first.flatMap { first in last.map { MomentText.duration(Double($0) - Double(first)) } }
    let failures = session["failures"]?.elements.map {
      "\($0["type"]?.words ?? ""): \($0["title"]?.words ?? "") #\($0["event"]?.words ?? "")"
    }
    let parts: [String?] = [
      session["sessionId"]?.words, session["userId"]?.words.map { "user \($0)" },
      [session["bundleId"]?.words, session["appVersion"]?.words].compactMap { $0 }.joined(separator: " "),
      device(session["device"]), first.map(MomentText.text), length,
      "\(session["events"]?.integer ?? 0) events", "\(session["errors"]?.integer ?? 0) errors",
      elsewhere(session["summary"]),
      session["live"]?.bool == true ? "LIVE" : session["lastEnd"]?.words.map { "ended: \($0)" },
      session["lastScreen"]?.words.map { "last screen \($0)" },
      failures.map { $0.joined(separator: "; ") },
      session["match"].map { "found: \(EventWords.pairs($0))" },
    ]
    return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// What of it did not come, as its device has told.
  static func elsewhere(_ summary: JSONTree?) -> String? {
    guard let missing = summary?["missing"]?.integer, missing > 0 else { return nil }
    let until = summary?["until"]?.integer.map { " until \(MomentText.text($0))" } ?? ""
    return summary?["place"]?.string == "gone"
      ? "\(missing) more events did not come, and are gone" : "\(missing) more events are on the device\(until)"
  }

  static func device(_ device: JSONTree?) -> String? {
    let parts = ["model", "systemName", "osVersion"].compactMap { device?[$0]?.words }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  static func answer(of id: String, _ api: AskedAPI) async throws -> ToolAnswer {
    let session = try await api.get(["api", "sessions", id])
    var answer = ToolAnswer("One session. Go on with timeline, list_requests, search_logs, screen_picture.")
    answer.add(line(session), most: 1500)
    answer.add("link", api.link(session: id))
    answer.add("tags", EventWords.pairs(session["tags"]))
    answer.add("device", EventWords.pairs(session["device"]))
    answer.add("counts", EventWords.pairs(session["counts"]))
    for launch in session["launchLedgers"]?.elements ?? [] {
      answer.add("launch: \(EventWords.pairs(launch))", most: 500)
    }
    return answer
  }
}
