import AutoMobileJournal
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Erasing` {
  @Test func `every table is looked at, or stands in the list with its reason`() throws {
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    let tables = try store.pool.read {
      try String.fetchAll(
        $0,
        sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      )
    }.filter { !$0.hasPrefix("event_text") }
    #expect(tables.count > 60)
    for table in tables { #expect(ErasureRule.tables[table] != nil, "nobody has decided what of \(table) is erased") }
    for table in ErasureRule.tables.keys { #expect(tables.contains(table), "there is no table \(table)") }
    for case .kept(let why) in ErasureRule.tables.values { #expect(!why.isEmpty) }
    for case .scrubbed(let how) in ErasureRule.tables.values { #expect(!how.isEmpty) }
    // Each condition can be asked.
    try store.pool.read {
      for (table, condition) in ErasureRule.counted {
        _ = try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table) WHERE \(condition)", arguments: ["session": 1])
      }
    }
  }

  /// What somebody sees of a story.
  private static func view(_ story: ErasureStory, _ collector: RunningCollector) async throws -> [String: JSONValue] {
    var seen: [String: JSONValue] = [:]
    for path in [
      "/api/sessions/\(story.session)", "/api/sessions/\(story.session)/events", "/api/users/\(story.user)",
      "/api/events?q=\(story.marker)*", "/api/network?session=\(story.session)",
      "/api/replays?session=\(story.session)",
      "/api/events?q=number3", "/api/sessions?q=user:\(story.user)",
    ] {
      let answer = try await collector.get(path)
      seen[path] = answer.status == 200 ? try answer.json() : .number(Double(answer.status))
    }
    return seen
  }

  @Test func `nothing of a user is left in any file, and another user is as before`() async throws {
    let directory = try TemporaryDirectory()
    let (ada, bob) = (ErasureStory("adazq7f3kx"), ErasureStory("bobxw91cqy"))
    try await RunningCollector.with(directory: directory.url) { collector in
      let pictures = [try await ada.send(to: collector), try await bob.send(to: collector)].map(\.body)
      for story in [ada, bob] {
        try await collector.waitForLaunch(story.batch.launch, stored: ErasureStory.stored())
      }
      let reports = try await collector.json("/api/issues")["issues"].array
      #expect(reports.contains { $0["kind"].string == "crash" && $0["count"].int == 2 }, "\(reports)")
      let before = try await Self.view(bob, collector)
      #expect(before["/api/sessions/\(bob.session)"]?["userId"].string == bob.user)
      #expect(
        try !FileSearch.files(in: directory.url, with: ada.marker, or: Array(pictures[0].readableBytesView)).isEmpty)

      let tried = try await collector.post("/api/erasures", "{\"user\":\"\(ada.user)\",\"dryRun\":true}").json()
      #expect(tried["sessions"].int == 1 && tried["rows"]["event"].int == ErasureStory.stored() + 1)
      #expect(try await collector.get("/api/sessions/\(ada.session)").status == 200)

      let erasure = try await collector.erase("{\"user\":\"\(ada.user)\",\"reason\":\"Request 4711\"}")
      #expect(erasure["sessions"].int == 1 && erasure["events"].int == ErasureStory.stored() + 1)
      // While it runs.
      #expect(try FileSearch.files(in: directory.url, with: ada.marker, or: Array(pictures[0].readableBytesView)) == [])
      #expect(try !FileSearch.files(in: directory.url, with: bob.marker).isEmpty)
      #expect(
        try !FileSearch.files(in: directory.url, with: bob.marker, or: Array(pictures[1].readableBytesView)).isEmpty)

      #expect(try await collector.get("/api/sessions/\(ada.session)").status == 404)
      #expect(try await collector.get("/api/users/\(ada.user)").status == 404)
      #expect(try await collector.json("/api/events?q=\(ada.marker)*")["events"].array.isEmpty)
      var after = try await Self.view(bob, collector)
      // Hers are not found any more by words that both said.
      let shared = "/api/events?q=number3"
      #expect(after[shared]?["events"].array.count == 1 && before[shared]?["events"].array.count == 2)
      after[shared] = before[shared]
      #expect(after == before)
      let replay = try await collector.get("/api/replays/\(bob.name)replay")
      #expect(replay.status == 200)
      // Issues are counted without hers, and say nothing that only she said.
      let issues = try await collector.json("/api/issues")["issues"].array
      #expect(issues.count == 3 && issues.allSatisfy { $0["count"].int == 1 }, "\(issues)")

      try Self.check(erasure, subject: ada)
    }
    #expect(try FileSearch.files(in: directory.url, with: ada.marker) == [])
    // The name stands where it is said that it stays: in the audit log, of those who looked.
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.writeWithoutTransaction {
      #expect(
        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM audit WHERE instr(thing, ?)", arguments: [ada.name]) ?? 0 > 0)
      try $0.execute(sql: "DELETE FROM audit")
      try $0.execute(sql: "VACUUM")
      _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try database.close()
    #expect(try FileSearch.files(in: directory.url, with: ada.name) == [])
  }

  private static func check(_ erasure: JSONValue, subject: ErasureStory) throws {
    let text = try #require(erasure["receipt"].string)
    #expect(SHA256.hex(Array(text.utf8)) == erasure["sha256"].string)
    #expect(!text.contains(subject.marker) && !text.contains(subject.name))
    let receipt = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(receipt["reason"].string == "Request 4711")
    #expect(receipt["subject"].string?.hasPrefix("hmac-sha256:") == true)
    #expect(receipt["requestedBy"].string == "Somebody on this machine")
    let removed = receipt["removed"]
    #expect(removed["sessions"].int == 1 && removed["rows"]["event"].int == ErasureStory.stored() + 1)
    for table in [
      "session", "network", "spans", "launch_time", "screen_frames", "issue_event", "quarantine", "replay",
      "replay_segment",
      "replay_fault", "context", "network_route", "network_host", "event_type", "launch_end",
    ] {
      #expect(removed["rows"][table].int ?? 0 > 0, "\(table)")
    }
    #expect(removed["eventBytes"].int ?? 0 > 1000 && removed["replayBytes"].int ?? 0 > 10)
    #expect(removed["packsRewritten"].int ?? 0 > 0 && removed["logBytes"].int ?? 0 > 0)
    let remains = receipt["remains"].array.compactMap { $0["what"].string }
    #expect(remains.contains("backups") && !remains.contains("versions") && !remains.contains("configuration"))
  }

  @Test func `what a phone still holds does not come back`() async throws {
    let directory = try TemporaryDirectory()
    let ada = ErasureStory("adazq7f3kx")
    let picture = ada.picture
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await ada.send(to: collector)
      try await collector.waitForLaunch(ada.batch.launch, stored: ErasureStory.stored())
      _ = try await collector.erase("{\"user\":\"\(ada.user)\"}")
    }
    // What was durable a moment ago is not looked at again: only the index knows now.
    try await RunningCollector.with(directory: directory.url) { collector in
      // The same again; more of the session, with its context and without; and a session that had never been delivered.
      try await collector.post(raw: ada.batch)
      let more = ErasureStory("adazq7f3kx", launch: ada.batch.launch, from: ada.batch.position)
      try await collector.post(raw: more.batch)
      var bare = RawBatch(launch: ada.batch.launch, from: more.batch.position)
      bare.addLog("adazq7f3kx bare")
      try await collector.post(raw: bare)
      var unseen = RawBatch()
      unseen.addContext(1, session: "adazq7f3kxother", user: ada.user, tags: ["x": "adazq7f3kxtag"])
      for _ in 0..<10 { unseen.addLog("adazq7f3kx offline") }
      try await collector.post(raw: unseen)
      var expanded = RawBatch()
      expanded.add(
        .event,
        """
        {"eventType":"log","timestamp":1700000000000,"message":"adazq7f3kx expanded","context":{"sessionId":"adazq7f3kxthird",\
        "userId":"\(ada.user)"}}
        """)
      try await collector.post(raw: expanded)
      // She goes on using the app: that is another matter.
      var new = RawBatch()
      new.addContext(1, session: "afterwards", user: ada.user)
      new.addLog("hello again", at: Int(Date().timeIntervalSince1970 * 1000) + 60_000)
      try await collector.post(raw: new)
      try await collector.waitForLaunch(new.launch, stored: 1)
      try await collector.waitForLaunch(unseen.launch, stored: 10)
      try await collector.waitForLaunch(bare.launch, stored: 2 * ErasureStory.stored() + 1)

      let sessions = try await collector.json("/api/sessions")["sessions"].array.compactMap { $0["sessionId"].string }
      #expect(sessions == ["afterwards"])
      let events = try await collector.json("/api/events")["events"].array
      #expect(events.map { $0["payload"]["message"].string } == ["hello again"])
      // All that was sent is accounted for.
      let launches = try await collector.json("/api/launches")
      #expect(launches.launch(unseen.launch)["stored"].int == 10)
      let again = launches.launch(ada.batch.launch)
      #expect(again["duplicates"].int ?? 0 >= ErasureStory.stored())
      #expect(again["quarantined"].int == 2)
      let aside = try await collector.json("/api/quarantine")
      #expect(!"\(aside)".contains("broken"))

      // Nor does it wait in the ingest log until a file of that is full.
      let ingest = directory.url.appending(path: "ingest")
      let deadline = ContinuousClock.now + .seconds(90)
      while try !FileSearch.files(in: ingest, with: ada.marker).isEmpty {
        try #require(ContinuousClock.now < deadline, "what was dropped is still in the ingest log")
        try await Task.sleep(for: .milliseconds(20))
      }

      let sender = ReplaySender(collector: collector, replay: "\(ada.name)replay", sessions: [ada.session])
      let answer = try await sender.presign(picture)
      #expect(try answer.json()["skipUpload"].bool == true)
      let other = ReplaySender(collector: collector, replay: "another", sessions: [ada.session])
      #expect(try await other.presign(picture).json()["skipUpload"].bool == true)
      #expect(try await collector.json("/api/users/\(ada.user)")["sessions"].int == 1)
    }
    // The context of what is kept has her name: what is left of the rest is looked for by what only that said.
    let found = try [
      "tag", "log", "screen", "failure", "crumb", "path", " offline", " bare", " expanded", "third", "other", "broken",
    ].flatMap {
      try FileSearch.files(in: directory.url, with: "adazq7f3kx\($0)")
    }
    #expect(found == [])
  }

  @Test func `a device is erased by its installation, a session by its name, and each within its project`() async throws
  {
    try await RunningCollector.with({ $0.operatorKeys = ["operator-of-all"] }) { collector in
      func batch(_ session: String, _ device: String, bundle: String) -> RawBatch {
        var batch = RawBatch(bundleId: bundle)
        batch.add(
          .context, "{\"contextId\":1,\"sessionId\":\"\(session)\",\"userId\":\"ada\",\"anonymousId\":\"\(device)\"}")
        batch.addLog("hello from \(session)")
        return batch
      }
      let batches = [
        batch("s1", "phone", bundle: "dev.example.shop"), batch("s2", "phone", bundle: "dev.example.bank"),
        batch("s3", "pad", bundle: "dev.example.shop"), batch("s4", "pad", bundle: "dev.example.bank"),
      ]
      for batch in batches {
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(batch.launch, stored: 1)
      }
      func sessions() async throws -> Set<String> {
        Set(try await collector.json("/api/sessions")["sessions"].array.compactMap { $0["sessionId"].string })
      }
      let all = [("X-API-Key", "operator-of-all")]
      _ = try await collector.erase("{\"device\":\"phone\",\"project\":\"dev.example.shop\"}", headers: all)
      #expect(try await sessions() == ["s2", "s3", "s4"])
      _ = try await collector.erase("{\"session\":\"s4\",\"project\":\"dev.example.shop\"}", headers: all)
      #expect(try await sessions() == ["s2", "s3", "s4"])
      _ = try await collector.erase("{\"session\":\"s4\"}", headers: all)
      #expect(try await sessions() == ["s2", "s3"])
      // Of the same name in the other app nothing is marked.
      var again = RawBatch(bundleId: "dev.example.shop")
      again.addContext(1, session: "s4")
      again.addLog("another one")
      try await collector.post(raw: again)
      try await collector.waitForLaunch(again.launch, stored: 1)
      // Without the project: the mark of the project's attempt holds for the shop, where no such session was.
      #expect(try await sessions() == ["s2", "s3"])
      _ = try await collector.erase("{\"user\":\"ada\"}", headers: all)
      #expect(try await sessions() == [])

      // Found again by whom it was about, and by nobody else.
      let mine = try await collector.get("/api/erasures?device=phone&project=dev.example.shop", headers: all).json()
      #expect(mine["erasures"].array.count == 1)
      #expect(try await collector.get("/api/erasures?device=phone", headers: all).json()["erasures"].array.isEmpty)
      #expect(try await collector.get("/api/erasures", headers: all).json()["erasures"].array.count == 4)
      _ = try await collector.get("/api/erasures?session=s4", headers: all)
      // Who did it is written down, and whom it was about is not.
      let audit = try await collector.get("/api/audit?what=erasure", headers: all).json()["entries"].array
      #expect(audit.contains { $0["thing"].string == "erasure 1" && $0["action"].string == "change" })
      let things = Set(audit.compactMap { $0["thing"].string })
      #expect(things.isDisjoint(with: ["ada", "phone", "s4"]), "\(things)")
    }
  }

  @Test func `an operator of one project erases within it, and sees its receipts only`() async throws {
    try await RunningCollector.with({ ($0.ingestKeys, $0.operatorKeys) = (["start-key-1"], ["operator-of-all"]) }) {
      collector in
      let all = [("X-API-Key", "operator-of-all")]
      var keys: [[(String, String)]] = []
      for bundle in ["dev.example.shop", "dev.example.bank"] {
        let project =
          try await collector.post("/api/projects", "{\"bundleId\":\"\(bundle)\"}", headers: all).json()["id"].int ?? 0
        for role in ["operator", "viewer"] {
          let key = try await collector.post("/api/keys", "{\"project\":\(project),\"role\":\"\(role)\"}", headers: all)
            .json()["key"].string
          keys.append([("X-API-Key", key ?? "")])
        }
      }
      let (shop, viewer, bank) = (keys[0], keys[1], keys[2])
      func code(_ body: String, _ headers: [(String, String)]) async throws -> String? {
        try await collector.post("/api/erasures", body, headers: headers).errorCode
      }
      #expect(try await code("{\"user\":\"ada\"}", shop) == "project_only")
      #expect(try await code("{\"user\":\"ada\",\"project\":\"dev.example.bank\"}", shop) == "other_project")
      #expect(try await code("{\"user\":\"ada\",\"project\":\"dev.example.shop\"}", viewer) == "not_operator")
      #expect(try await code("{\"user\":\"ada\",\"device\":\"x\"}", all) == "invalid_subject")
      #expect(try await code("{}", all) == "invalid_subject")
      #expect(try await code("{\"user\":\"\"}", all) == "invalid_user")
      #expect(try await code("{\"user\":\"ada\",\"reason\":\"ada asked\"}", all) == "invalid_reason")
      let own = try await collector.erase("{\"user\":\"ada\",\"project\":\"dev.example.shop\"}", headers: shop)
      _ = try await collector.erase("{\"user\":\"ada\"}", headers: all)
      #expect(try await collector.get("/api/erasures/\(own["id"].int ?? 0)", headers: bank).status == 404)
      #expect(try await collector.get("/api/erasures/2", headers: shop).status == 404)
      #expect(try await collector.get("/api/erasures", headers: shop).json()["erasures"].array.count == 1)
      #expect(try await collector.get("/api/erasures", headers: bank).json()["erasures"].array.isEmpty)
      #expect(try await collector.get("/api/erasures", headers: all).json()["erasures"].array.count == 2)
    }
  }

  @Test func `marks end, and with them what was left to know them by`() async throws {
    let directory = try TemporaryDirectory()
    let ada = ErasureStory("adazq7f3kx")
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await ada.send(to: collector)
      try await collector.waitForLaunch(ada.batch.launch, stored: ErasureStory.stored())
      _ = try await collector.erase("{\"user\":\"\(ada.user)\"}")
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM erasure_mark") ?? 0 >= 3)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM context WHERE erased > 0") == 1)
      try ErasureMarks.purge(at: WallClock.now + ErasureMarks.lifetime - 60_000, in: database)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM erasure_mark") ?? 0 >= 3)
      try ErasureMarks.purge(at: WallClock.now + ErasureMarks.lifetime + 60_000, in: database)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM erasure_mark") == 0)
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM context WHERE erased > 0") == 0)
    }
  }
}
