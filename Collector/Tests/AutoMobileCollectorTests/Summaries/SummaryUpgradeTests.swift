import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// A store in which summaries are events of a type that nobody knew.
@Suite struct `Summaries that were there before` {
  private static let launch = "4F1C0000-0000-4000-8000-000000000001"
  private static let start = Int64(Summary.start)

  /// As the version before has left it: two summaries of one session, a log and a crumb.
  private static func fill(_ database: Database, types: Int) throws {
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
      try database.execute(sql: sql, arguments: arguments)
    }
    for name in ["log", EventTypes.breadcrumb] { try execute("INSERT INTO event_type(name) VALUES (?)", [name]) }
    for index in 0..<types { try execute("INSERT INTO event_type(name) VALUES (?)", ["type \(index)"]) }
    try execute("INSERT INTO event_type(name) VALUES ('session_summary')")
    try execute("INSERT INTO owner VALUES (1, 'app dev.example.shop')")
    try execute(
      """
      INSERT INTO launch(id, launchId, given, owner, bundleId, first, last, recorded, stored)
      VALUES (1, ?1, ?1, 1, 'dev.example.shop', ?2, ?2, 4, 3)
      """, [launch, start])
    try execute(
      """
      INSERT INTO session(id, sessionId, given, owner, bundleId, appVersion, first, last, received, events)
      VALUES (1, 's-1', 's-1', 1, 'dev.example.shop', '2.1', ?1, ?1 + 90000000, ?1, 3)
      """, [start])
    try execute("INSERT INTO session_launch(session, launch) VALUES (1, 1)")
    var summary = Summary(session: "s-1")
    summary.revision = 2
    summary.memoryPeak = 420_000_000
    summary.told = Summary.start + 90_000_000
    let rows: [(String, Int64, String)] = [
      ("log", start, #"{"eventType":"log","timestamp":\#(start),"level":2,"message":"m"}"#),
      (EventTypes.breadcrumb, start, #"{"timestamp":\#(start / 1000),"message":"crumb"}"#),
      ("session_summary", Int64(summary.told), "{\(summary.members)}"),
      ("session_summary", start + 5, "{\(Summary(session: "s-1", events: ["log": 1]).members)}"),
    ]
    for (index, row) in rows.enumerated() {
      try execute(
        """
        INSERT INTO event(id, launch, sequence, session, type, timestamp, received, payload)
        VALUES (?1, 1, ?1 * 160, 1, (SELECT id FROM event_type WHERE name = ?2), ?3, ?3, ?4)
        """, [index + 1, row.0, row.1, Data(row.2.utf8)])
    }
    // Another one that goes on, of which nobody has told yet.
    try execute(
      """
      INSERT INTO session(id, sessionId, given, owner, bundleId, appVersion, first, last, received, events)
      VALUES (2, 's-2', 's-2', 1, 'dev.example.shop', '2.1', ?1, ?1, ?1, 40)
      """, [start])
    try execute("INSERT INTO session_launch(session, launch) VALUES (2, 1)")
    for index in 0..<40 {
      try execute(
        """
        INSERT INTO event(id, launch, sequence, session, type, timestamp, received, payload)
        VALUES (?1, 1, ?1 * 160, 2, (SELECT id FROM event_type WHERE name = 'log'), ?2, ?2, ?3)
        """,
        [100 + index, start, Data(#"{"eventType":"log","timestamp":\#(start),"level":2,"message":"m"}"#.utf8)])
    }
    try execute("INSERT INTO session_type SELECT session, type, COUNT(*) FROM event GROUP BY session, type")
  }

  @Test(arguments: [0, 20]) func `are known, under whatever number they have, and stay so`(types: Int) async throws {
    let directory = try TemporaryDirectory()
    let data = directory.url.appending(path: "data")
    try FileManager.default.createDirectory(
      at: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      let pool = try DatabasePool(path: data.appending(path: "index.sqlite").path)
      try Schema.migrator.migrate(pool, upTo: "27: redaction")
      try await pool.write { try Self.fill($0, types: types) }
      try pool.close()
    }
    for _ in 0..<2 {
      try await RunningCollector.with(directory: data) { collector in
        let session = try await collector.told("s-1")
        #expect(session["events"].int == 1 && session["counts"]["session_summary"].int == 2)
        #expect(session["first"].int == Summary.start && session["last"].int == Summary.start + 60_000)
        #expect(session["summary"]["revision"].int == 2 && session["summary"]["events"].int == 109)
        #expect(session["summary"]["memoryPeak"].int == 420_000_000 && session["summary"]["memoryWarnings"].int == 2)
        #expect(session["summary"]["missing"].int == 108 && session["summary"]["place"].string == "device")
        let events = try await collector.json("/api/sessions/s-1/events?type=session_summary")["events"].array
        #expect(events.count == 2)
        #expect(try await collector.json("/api/health")["sessions"]["bySummary"].int == 1)
        #expect(try await collector.json("/api/sessions?q=screen:basket")["sessions"].array.count == 1)
      }
    }
    try await RunningCollector.with(directory: data) { collector in
      var more = RawBatch.telling(
        Summary(session: "s-1", revision: 3, events: ["log": 4]), launch: try #require(LaunchID(Self.launch)),
        from: 90_000)
      more.addLog("more", at: Summary.start + 1)
      try await collector.post(raw: more)
      let session = try await collector.told("s-1") { $0["summary"]["revision"].int == 3 && $0["events"].int == 2 }
      #expect(session["summary"]["missing"].int == 2 && session["counts"]["session_summary"].int == 3)
      // Of what was here before, too, and of what comes with it and afterwards.
      var goesOn = RawBatch(launch: more.launch, from: more.position)
      goesOn.addContext(2, session: "s-2")
      goesOn.addLog("in between", at: Summary.start + 2, context: 2)
      try await collector.post(raw: goesOn)
      try await collector.wait(for: "/api/sessions/s-2") { $0["events"].int == 41 }
      var last = RawBatch(launch: more.launch, from: goesOn.position)
      last.addContext(2, session: "s-2")
      last.addLog("with it", at: Summary.start + 3, context: 2)
      last.add(Summary(session: "s-2", events: ["log": 43]), context: 2)
      try await collector.post(raw: last)
      let other = try await collector.told("s-2") { $0["events"].int == 42 }
      #expect(other["summary"]["missing"].int == 1)
      var end = RawBatch(launch: more.launch, from: last.position)
      end.addContext(2, session: "s-2")
      end.addLog("after it", at: Summary.start + 4, context: 2)
      try await collector.post(raw: end)
      #expect(try await collector.told("s-2") { $0["events"].int == 43 }["summary"]["place"].string == "here")
      let savings = try await collector.json("/api/health/savings")
      #expect(savings["sentEvents"].int == 6, "those whose size is known")
    }
  }
}
