import Foundation

/// What the viewer asks, against a collector with much in it: `collector-bench viewer [--sessions N] [--events N]
/// [--data DIR] [--clickhouse] [--json]`.
///
/// The data goes through the real way in. With `--data` it is built once and found again the next time, for a day or so: what is older than the time that
/// *App health* looks at is missing there. A question that does not find what the ``Story`` holds ends the program. With `--clickhouse` the events are in two
/// shards of ClickHouse on this machine, and nothing of it is kept.
enum ViewerFigures {
  static func run(_ arguments: [String], _ value: (String) -> String?) throws {
    let sessions = value("--sessions").flatMap { Int($0) } ?? 1000
    let events = value("--events").flatMap { Int($0) } ?? 5_000_000
    let shards = arguments.contains("--clickhouse") ? try Shards() : nil
    let kept =
      shards != nil ? nil : value("--data").map { URL(filePath: $0).appending(path: "viewer-\(sessions)-\(events)") }
    let directory = kept ?? URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { if kept == nil { try? FileManager.default.removeItem(at: directory) } }
    let story = Story(sessions: sessions, events: events)
    let server = try Server(directory: directory, fullText: true, store: shards?.place)
    defer { server.stop() }
    let mark = directory.appending(path: "complete")
    if !FileManager.default.fileExists(atPath: mark.path) {
      note("building \(sessions) sessions with \(events) events in \(directory.path)")
      let start = Date()
      try story.send(to: server.port)
      var seen = 0
      let patience = Patience("the index")
      while seen < events {
        Thread.sleep(forTimeInterval: 0.5)
        seen = try Metrics(port: server.port).indexed
        try patience.note(seen)
      }
      try Data().write(to: mark)
      note("built in \(Int(Date().timeIntervalSince(start))) s")
    }
    if let shards {
      let bytes = try shards.stored(events)
      note("\(bytes) bytes on the disks of both shards, \(bytes / UInt64(events)) for each event")
    }
    // Now, for a connection on which nothing happens for a minute is closed.
    let connection = try Connection(port: server.port)
    if shards != nil { try awaitIssues(story, connection) }
    let results = try questions(story, connection, isOnShards: shards != nil).map { try $0.measure(on: connection) }
    if arguments.contains("--json") {
      print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))
    } else {
      print("\(sessions) sessions, \(events) events; milliseconds at the server's door")
      for result in results { print(result) }
    }
  }

  /// Reports come into their issues some time after their events.
  private static func awaitIssues(_ story: Story, _ connection: Connection) throws {
    let all = min(50, story.issues)
    let patience = Patience("the list of issues")
    while case let seen = (try connection.json("/api/issues?limit=50")?["issues"] as? [Any])?.count ?? 0,
      seen < all
    {
      try patience.note(seen)
      Thread.sleep(forTimeInterval: 1)
    }
  }

  private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private static func questions(
    _ story: Story, _ connection: Connection, isOnShards: Bool
  ) throws -> [Question] {
    guard
      let list = try connection.json("/api/sessions?limit=50"),
      let last = (list["sessions"] as? [[String: Any]])?.last, let id = last["sessionId"] as? String,
      let share = last["events"] as? Int,
      let next = list["next"] as? String
    else { throw Failure("there are no sessions") }
    let (requests, crashes) = (story.count(Story.isRequest), story.countSessions(Story.crashes))
    let (hangs, failures) = (story.count(Story.isHang), story.count(Story.isFailure))
    /// So many, or a page of so many.
    func page(_ limit: Int, of count: Int, _ member: String) -> Question.Answer { .exactly(min(limit, count), member) }

    return [
      Question(
        "session list", "/api/sessions?limit=50", limit: 50, page(50, of: story.sessions, "sessions")),
      Question(
        "session list, second page", "/api/sessions?limit=50&before=\(next)", limit: 50,
        page(50, of: story.sessions - 50, "sessions")),
      Question(
        "sessions by user", "/api/sessions?q=user17", limit: 50,
        page(50, of: story.countSessions { Story.user($0).hasPrefix("user17") }, "sessions")),
      Question(
        "sessions by screen, nothing found", "/api/sessions?q=nosuchscreen", limit: 200, .exactly(0, "sessions")),
      Question("session page: session", "/api/sessions/\(id)", limit: 100, .exactly(1, "launchLedgers")),
      Question(
        "session page: first 500 events", "/api/sessions/\(id)/events?limit=500", limit: 100,
        page(500, of: share, "events")),
      Question(
        "session page: text within", "/api/sessions/\(id)/events?limit=500&q=declined", limit: 200,
        page(500, of: (0..<share).count(where: Story.isDeclined), "events")),
      Question("search, rare word", "/api/events?q=unicorn\(story.lastCrash)", limit: 200, .exactly(1, "events")),
      Question(
        "search, one in a thousand", "/api/events?q=declined", limit: 200,
        page(100, of: story.count(Story.isDeclined), "events")),
      Question("search, in half of all events", "/api/events?q=roastery", limit: 200, .exactly(100, "events")),
      Question("search, beginning of common words", "/api/events?q=pro", limit: 200, .exactly(100, "events")),
      Question("search, two common words", "/api/events?q=roastery%20message", limit: 200, .exactly(100, "events")),
      Question(
        "search, words never together", "/api/events?q=roastery%20declined%20tapped", limit: 200, .exactly(0, "events")),
      Question(
        "search, common word of a rare type", "/api/events?q=payment&type=crash", limit: 200,
        page(100, of: crashes, "events")),
      Question(
        "events of a rare type", "/api/events?type=crash,hang", limit: 200, page(100, of: crashes + hangs, "events")),
      Question("network list", "/api/network?limit=100", limit: 200, page(100, of: requests, "requests")),
      Question(
        "network, slowest", "/api/network?limit=100&sort=slowest", limit: 200, page(100, of: requests, "requests")),
      Question(
        "network, failed of a host", "/api/network?limit=100&failed=true&host=api.roastery.example", limit: 200,
        page(100, of: story.count { Story.isFailedOfAPI($0) }, "requests")),
      Question(
        "network, search", "/api/network?limit=100&q=checkout", limit: 200,
        page(100, of: story.count(Story.isCheckout), "requests")),
      // Of the newest, as many as are looked at.
      Question("network statistics", "/api/network/stats", limit: nil, .exactly(min(200_000, requests), "count")),
      Question("issue list", "/api/issues?limit=50", limit: 200, page(50, of: story.issues, "issues")),
      Question(
        "issue list, by sessions", "/api/issues?limit=50&sort=sessions", limit: 200,
        page(50, of: story.issues, "issues")),
      Question("reports", "/api/reports?limit=50", limit: 200, page(50, of: crashes + hangs + failures, "reports")),
      // A session or two are as old as the time that is looked at.
      Question(
        "app health, 14 days", "/api/health", limit: 200,
        .within(max(1, story.sessions * 9 / 10)...story.sessions, "sessions.count")),
      Question("launches", "/api/launches", limit: 100, page(100, of: story.sessions, "launches")),
    ]
      + (isOnShards
        ? [] : [Question("settings", "/api/settings", limit: 100, .exactly(story.sessions, "storage.sessions"))])
  }
}
