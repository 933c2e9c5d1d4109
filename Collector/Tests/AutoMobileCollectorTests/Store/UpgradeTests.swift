import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

/// A data directory as each earlier version left it, with something of every kind in it.
@Suite struct `An older data directory` {
  private static let start = 1_700_000_000_000

  private static let events: [(type: String, members: String)] = [
    ("lifecycle", #""state":"foreground","details":{}"#),
    ("navigation", #""destination":"Menu","source":"custom","arguments":{},"metadata":{}"#),
    ("interaction", #""interactionType":"rage_tap","properties":{"text":"Pay","x":"1","y":"2"}"#),
    (
      "network_request",
      #""url":"https://api.example.com/v1/pay","host":"api.example.com","path":"/v1/pay","method":"POST","statusCode":503,"durationMs":12.5"#
    ),
    ("log", #""level":4,"tag":"shop","message":"the card was declined","filterName":"all""#),
    ("custom", #""name":"App Launch","properties":{"totalMs":860,"preMainMs":80,"kind":"cold"}"#),
    (
      "custom",
      #""name":"Frames","properties":{"scope":"screen","screen":"Menu","frames":60,"slow":2,"frozen":1,"worstMs":800,"durationMs":1000,"fps":60}"#
    ),
    (
      "handled_exception",
      #""errorDomain":"Shop.Failure","errorMessage":"status(503)","customMessage":"The payment failed","#
        + #""stackTrace":"0  shop  0x1010 attempt + 4""#
    ),
    ("hang", #""durationMs":2500,"stackTrace":"0  shop  0x1020 layout + 4""#),
    ("storage_changed", #""key":"cart","newValue":"3","suiteName":"shop""#),
    ("breadcrumb", #""category":"custom","message":"paying","metadata":{}"#),
    (
      "crash",
      #""errorDomain":"SIGSEGV","errorMessage":"SEGV_MAPERR","currentScreen":"Menu","stackTrace":"0  shop  0x1030 pay + 4""#
    ),
  ]

  private static let context = """
    {"contextId":1,"sessionId":"s-1","userId":"mira","appVersion":"2.1","bundleId":"com.example.shop","tags":{"plan":"pro"},\
    "device":{"model":"iPhone16,2","systemName":"iOS","osVersion":"18.1"}}
    """

  /// What the first version would have written for these events.
  private static func fill(_ database: Database) throws {
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
      try database.execute(sql: sql, arguments: arguments)
    }
    for name in EventTypes.known { try execute("INSERT INTO event_type(name) VALUES (?)", [name]) }
    try execute(
      """
      INSERT INTO launch(id, launchId, bundleId, sdkVersion, first, last, recorded, final, stored)
      VALUES (1, '4F1C0000-0000-4000-8000-000000000001', 'com.example.shop', '0.1.0', ?1, ?1 + 1000, 11, 1, 12)
      """, [start])
    try execute(
      """
      INSERT INTO session(id, sessionId, bundleId, appVersion, userId, tags, device, first, last, received, events, errors,
        lastScreen, lastScreenAt)
      VALUES (1, 's-1', 'com.example.shop', '2.1', 'mira', '{"plan":"pro"}', '{"model":"iPhone16,2"}', ?1, ?1 + 1000, ?1, 11, 5,
        'Menu', ?1 + 1)
      """, [start])
    try execute("INSERT INTO session_launch VALUES (1, 1)")
    try execute("INSERT INTO session_screen VALUES (1, 'Menu')")
    try execute("INSERT INTO context VALUES (1, 1, 1, 1, ?)", [Data(context.utf8)])
    for (index, event) in events.enumerated() {
      let payload =
        #"{"eventType":"\#(event.type)","timestamp":\#(start + index),"contextId":1,"#
        + #""bundleId":"com.example.shop",\#(event.members)}"#
      try execute(
        """
        INSERT INTO event(id, launch, sequence, session, type, timestamp, received, context, payload)
        VALUES (?1, 1, ?1 * 160, 1, (SELECT id FROM event_type WHERE name = ?2), ?3, ?3, 1, ?4)
        """, [index + 1, event.type, start + index, Data(payload.utf8)])
    }
    try execute("INSERT INTO session_type SELECT session, type, COUNT(*) FROM event GROUP BY session, type")
  }

  private static var questions: [String] {
    let range = "from=\(start - 1000)&to=\(start + 86_400_000)"
    return [
      "/api/sessions", "/api/sessions?q=declined", "/api/sessions?q=user:mira%20has:crash", "/api/sessions/facets",
      "/api/sessions/s-1", "/api/sessions/s-1/events", "/api/sessions/s-1/outline",
      "/api/sessions/s-1/outline?q=level:error", "/api/sessions/s-1/replays", "/api/events?q=declined",
      "/api/events?q=status:503", "/api/events/8/report", "/api/events/9/report", "/api/events/12/report",
      "/api/issues?status=all", "/api/issues?q=payment", "/api/reports?kind=crash,hang,failure", "/api/network",
      "/api/network/4", "/api/network/stats", "/api/network?q=host:api.example.com", "/api/health?\(range)",
      "/api/users/mira", "/api/users/mira/sessions", "/api/launches", "/api/apps", "/api/quarantine",
      "/api/searches", "/api/projects", "/api/config", "/api/settings", "/api/settings/sources",
      "/api/search/values?in=sessions&field=version", "/api/search/values?in=requests&field=host", "/metrics",
    ]
  }

  /// What the collector answers on a directory that stands at this migration.
  private static func answers(after migration: String) async throws -> [String: RunningCollector.Answer] {
    let directory = try TemporaryDirectory()
    let data = directory.url.appending(path: "data")
    try FileManager.default.createDirectory(
      at: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      let pool = try DatabasePool(path: data.appending(path: "index.sqlite").path)
      try Schema.migrator.migrate(pool, upTo: Schema.migrator.migrations[0])
      try await pool.write { try fill($0) }
      try Schema.migrator.migrate(pool, upTo: migration)
      try pool.close()
    }
    let found = Answers()
    try await RunningCollector.with(directory: data) { collector in
      // Reports are looked at again on a thread of its own.
      try await collector.wait(for: "/api/issues?status=all") { $0["issues"].array.count == 3 }
      for question in questions { await found.set(question, try await collector.get(question)) }
    }
    return await found.all
  }

  private actor Answers {
    private(set) var all: [String: RunningCollector.Answer] = [:]
    func set(_ question: String, _ answer: RunningCollector.Answer) { all[question] = answer }
  }

  @Test(arguments: Schema.migrator.migrations)
  func `answers everything`(migration: String) async throws {
    let answers = try await Self.answers(after: migration)
    for question in Self.questions {
      #expect(answers[question]?.status == 200, "\(question): \(answers[question]?.text ?? "")")
    }
    func json(_ question: String) throws -> JSONValue { try #require(answers[question]).json() }
    let session = try json("/api/sessions")["sessions"][0]
    #expect(session["sessionId"].string == "s-1" && session["events"].int == 11 && session["errors"].int == 5)
    #expect(session["failures"].array.contains { $0["title"].string == "Crash in pay" })
    for (question, count) in [("/api/sessions?q=declined", 1), ("/api/sessions?q=user:mira%20has:crash", 1)] {
      #expect(try json(question)["sessions"].array.count == count, "\(question)")
    }
    #expect(try json("/api/sessions/s-1/events")["events"].array.count == 12)
    let outline = try json("/api/sessions/s-1/outline")
    #expect(outline["severities"].array.map { $0.int } == [2, 2, 2, 4, 4, 2, 2, 4, 4, 2, 2, 5])
    #expect(try json("/api/sessions/s-1/outline?q=level:error")["ids"].array.count == 5)
    #expect(try json("/api/events?q=declined")["events"].array.map { $0["id"].int } == [5])
    let titles = Set(try json("/api/issues?status=all")["issues"].array.compactMap { $0["title"].string })
    #expect(titles == ["SIGSEGV in pay", "Hang in layout", "The payment failed"])
    #expect(try json("/api/issues?q=payment")["issues"].array.count == 1)
    #expect(try json("/api/events/12/report")["before"].array.count == 11)
    #expect(try json("/api/network")["requests"].array.map { $0["statusCode"].int } == [503])
    let health = try json(try #require(Self.questions.first { $0.hasPrefix("/api/health") }))
    #expect(health["hangs"]["count"].int == 1 && health["launchTime"]["count"].int == 1)
    #expect(health["frames"]["frozen"].int == 1 && health["taps"]["rage"].int == 1)
    #expect(health["sessions"]["crashed"].int == 1)
    #expect(try json("/api/users/mira")["sessions"].int == 1)
  }
}
