/// How well apps do, and what changed.
extension Tool {
  static let appHealth = Tool(
    "app_health", title: "App health",
    summary: """
      Crash-free sessions, how launches ended, launch time, hangs, slow frames, failing requests, rage taps, lost data: of \
      all apps, one app or one version, for the last 14 days or a time of your choice.
      """,
    arguments: [
      .app, ToolArgument("version", .text(100), "App version, exactly"),
      ToolArgument("from", .moment, "From this time on"), ToolArgument("to", .moment, "Up to this time"),
    ]
  ) { call in
    let health = try await HealthWords.health(call.arguments, version: call.arguments["version"], call.api)
    var answer = ToolAnswer("App health, \(time: health["from"]?.integer ?? 0) to \(time: health["to"]?.integer ?? 0).")
    for (name, value) in HealthWords.lines(health) { answer.add(name, value) }
    return answer
  }

  static let compareVersions = Tool(
    "compare_versions", title: "What changed between two versions",
    summary: """
      Two versions of an app side by side: crash-free sessions, launch time, hangs, frames, requests, and the issues that \
      the newer one has and the older one does not. Use it after a release.
      """,
    arguments: [
      ToolArgument("app", .text(200), "Bundle id of the app, as list_apps has it", isRequired: true),
      ToolArgument("old", .text(100), "The older version, exactly", isRequired: true),
      ToolArgument("new", .text(100), "The newer version, exactly", isRequired: true),
      ToolArgument("from", .moment, "From this time on; the last 14 days without it"),
      ToolArgument("to", .moment, "Up to this time"),
    ]
  ) { call in
    let (old, new) = (call.arguments.text("old"), call.arguments.text("new"))
    guard old != new else { throw ToolError("old and new are the same version: pass two") }
    let app = call.arguments.text("app")
    // Together: each looks at two weeks.
    async let healthBefore = HealthWords.health(call.arguments, version: old, call.api)
    async let healthAfter = HealthWords.health(call.arguments, version: new, call.api)
    async let issuesBefore = issues(of: app, version: old, call.api)
    async let issuesAfter = issues(of: app, version: new, call.api)
    let (before, after) = (HealthWords.lines(try await healthBefore), HealthWords.lines(try await healthAfter))
    let (known, found) = (try await issuesBefore, try await issuesAfter)
    var answer = ToolAnswer("Each line: what, the older version, the newer version. Few sessions prove little.")
    answer.add("versions: \(old) → \(new)")
    for ((name, was), (_, now)) in zip(before, after) { answer.add("\(name): \(was) → \(now)") }
    let names = Set(known.compactMap { $0["id"]?.string })
    let fresh = found.filter { $0["id"]?.string.map { !names.contains($0) } ?? false }
    answer.add("issues of the newer version only (\(fresh.count)):")
    for issue in fresh.prefix(20) { answer.add("new: \(Self.line(issue))", most: 400) }
    let gone = known.filter { issue in !found.contains { $0["id"] == issue["id"] } }
    answer.add("issues of the older version only (\(gone.count)):")
    for issue in gone.prefix(10) { answer.add("not seen in it: \(Self.line(issue))", most: 300) }
    if known.count == 100 || found.count == 100 {
      answer.add(tail: "Only the 100 newest issues of each were compared.")
    }
    return answer
  }

  private static func issues(of app: String, version: String, _ api: AskedAPI) async throws -> [JSONTree] {
    try await api.get(
      ["api", "issues"], [("app", app), ("version", version), ("status", "all"), ("limit", "100")])["issues"]?.elements
      ?? []
  }
}

/// The answer of `/api/health` in lines: always the same ones, so that two can stand side by side.
enum HealthWords {
  static func health(_ arguments: ToolArguments, version: String?, _ api: AskedAPI) async throws -> JSONTree {
    let now = WallClock.now
    return try await api.get(
      ["api", "health"],
      [
        ("app", arguments["app"]), ("version", version),
        ("from", String(arguments.moment("from") ?? now - 14 * 86_400_000)),
        ("to", String(arguments.moment("to") ?? now + 1)),
      ])
  }

  static func lines(_ health: JSONTree) -> [(name: String, value: String)] {
    let (sessions, launches, hangs) = (health["sessions"], health["launchTime"], health["hangs"])
    let (frames, requests, taps) = (health["frames"], health["requests"], health["taps"])
    let (count, crashed) = (whole(sessions, "count"), whole(sessions, "crashed"))
    let told = whole(sessions, "bySummary") > 0 ? " (\(whole(sessions, "bySummary")) by summary)" : ""
    // Of those that are told by summaries, these are counted as far as they came.
    let came = whole(hangs, "sessionsBySummary") > 0 ? ", of what came" : ""
    let failing = (requests?["failing"]?.elements ?? []).prefix(3).map(route)
    let verdicts = health["ends"]?["verdicts"]?.members ?? [:]
    return [
      ("sessions", "\(count)\(told), \(crashed) crashed, crash-free \(share(count - crashed, count))"),
      ("users", "\(whole(sessions?["users"], "count")), \(whole(sessions?["users"], "crashed")) hit by crashes"),
      (
        "launches ended",
        verdicts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.words ?? "")" }.joined(separator: ", ")
      ),
      (
        "launch time",
        "median \(duration(launches, "p50")), p90 \(duration(launches, "p90")), of \(whole(launches, "count"))"
      ),
      (
        "hangs",
        "\(whole(hangs, "count")) in \(whole(hangs, "sessions")) sessions, longest \(duration(hangs, "longestMs"))\(came)"
      ),
      (
        "frames",
        "\(share(whole(frames, "slow"), whole(frames, "frames"))) slow, \(whole(frames, "frozen")) frozen\(came)"
      ),
      (
        "requests",
        "\(share(whole(requests, "failed"), whole(requests, "count"))) of \(whole(requests, "count")) failed"
      ),
      ("failing routes", failing.joined(separator: "; ")),
      ("taps", "\(whole(taps, "rage")) rage, \(whole(taps, "dead")) dead\(came)"),
      ("memory", "p90 \(health["ends"]?["memoryMB"]?["p90"]?.words ?? "–") MB"),
      ("recorder", "recorded \(whole(health["recorder"], "recorded")), lost \(whole(health["recorder"], "lost"))"),
    ]
  }

  private static func route(_ route: JSONTree) -> String {
    "\(route["method"]?.words ?? "") \(route["host"]?.words ?? "")\(route["route"]?.words ?? "") "
      + "\(whole(route, "failed")) of \(whole(route, "count"))"
  }

  static func whole(_ tree: JSONTree?, _ name: String) -> Int64 { tree?[name]?.integer ?? 0 }

  private static func duration(_ tree: JSONTree?, _ name: String) -> String {
    tree?[name]?.number.map(MomentText.duration) ?? "–"
  }

  private static func share(_ part: Int64, _ all: Int64) -> String {
    all > 0 ? "\((Double(part) / Double(all) * 1000).rounded() / 10) %" : "–"
  }
}
