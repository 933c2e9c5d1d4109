import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Issues` {
  private static func report(_ functions: [String], signal: String = "SIGSEGV", base: UInt64 = 0x1000) -> String {
    let frames = functions.enumerated().map { index, name in
      let offset = base + UInt64(index) * 0x100
      return
        "{\"address\":\"0x\(String(offset + 0x4000, radix: 16))\",\"image\":0,\"offset\":\"0x\(String(offset, radix: 16))\",\"symbol\":\"\(name)\",\"symbolOffset\":\(base % 64)}"
    }
    return """
      {"format":1,"kind":"signal","signal":{"number":11,"name":"\(signal)"},"threads":[{"crashed":true,"frames":[\
      \(frames.joined(separator: ","))]}],"images":[{"name":"shop","path":"/app/shop","uuid":"aabbccdd","base":"0x4000"}]}
      """
  }

  @Test func `thousands of reports are counted exactly, however often they are delivered`() async throws {
    try await RunningCollector.with { collector in
      let now = Int(Date().timeIntervalSince1970 * 1000)
      var batches: [RawBatch] = []
      for launch in 0..<10 {
        var batch = RawBatch()
        for index in 0..<300 {
          let problem = index % 30
          if index % 100 == 0 { batch.addContext(index + 1, session: "s-\(launch)-\(index)") }
          batch.addCrash(
            Self.report(["fault\(problem)", "caller", "main"], base: UInt64(launch * 64 + 0x1000)),
            at: now - (index / 30) * 86_400_000, version: "1.\(launch % 3)", context: index / 100 * 100 + 1)
        }
        batches.append(batch)
      }
      for batch in batches { try await collector.post(raw: batch) }
      // Again, in other pieces: the same records in a delivery of their own.
      for batch in batches.reversed() { try await collector.post(raw: batch, headers: [("X-Retry", "1")]) }
      for batch in batches { try await collector.waitForLaunch(batch.launch, stored: 300) }
      // A restart would go on from the log: what is indexed twice is counted once as well.
      let answer = try await collector.json("/api/issues?limit=100")
      let issues = answer["issues"].array
      #expect(issues.count == 30)
      for issue in issues {
        #expect(issue["count"].int == 100)
        #expect(issue["sessions"].int == 30)
        #expect(issue["versions"]["1.0"].int == 40 && issue["versions"]["1.1"].int == 30)
        #expect(issue["trend"].array.compactMap(\.int).reduce(0, +) == 100)
        #expect(issue["last"].int == now && issue["first"].int == now - 9 * 86_400_000)
      }
      let titles = Set(issues.compactMap { $0["title"].string })
      #expect(titles == Set((0..<30).map { "SIGSEGV in fault\($0)" }))
    }
  }

  @Test func `issues are paged, filtered by kind, version and text, and shown one by one`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "kim")
      for index in 0..<25 {
        batch.addCrash(Self.report(["f\(index)"]), at: 1000 + index, version: index == 3 ? "9.9" : "1.0")
      }
      batch.add(
        .event,
        "{\"eventType\":\"hang\",\"timestamp\":5000,\"durationMs\":2500.5,\"stackTrace\":\"0 Feed.layout()\",\"contextId\":1}"
      )
      batch.add(
        .event,
        "{\"eventType\":\"handled_exception\",\"timestamp\":6000,\"errorDomain\":\"PaymentError\",\"errorMessage\":\"declined 4711\",\"stackTrace\":\"\",\"contextId\":1}"
      )
      batch.add(
        .event,
        "{\"eventType\":\"handled_exception\",\"timestamp\":6001,\"errorDomain\":\"PaymentError\",\"errorMessage\":\"declined 4712\",\"stackTrace\":\"\",\"contextId\":1}"
      )
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 28)

      var ids: [String] = []
      var path = "/api/issues?kind=crash&limit=10"
      while true {
        let page = try await collector.json(path)
        ids += page["issues"].array.compactMap { $0["id"].string }
        guard let next = page["next"].string else { break }
        path = "/api/issues?kind=crash&limit=10&before=\(next)"
      }
      #expect(ids.count == 25 && Set(ids).count == 25)
      #expect(try await collector.json("/api/issues?version=9.9")["issues"].array.count == 1)
      #expect(try await collector.json("/api/issues?q=f24")["issues"][0]["title"].string == "SIGSEGV in f24")
      let hang = try await collector.json("/api/issues?kind=hang")["issues"][0]
      #expect(hang["title"].string == "Hang in Feed.layout()" && hang["count"].int == 1)
      let failure = try await collector.json("/api/issues?kind=failure")["issues"][0]
      #expect(failure["title"].string == "declined …" && failure["count"].int == 2)
      #expect(failure["subtitle"].string == "PaymentError" && failure["message"].string == "declined 4712")
      let shown = try await collector.json("/api/issues/\(failure["id"].string ?? "")")
      #expect(shown["reports"].array.count == 2 && shown["reports"][0]["userId"].string == "kim")
      #expect(try await collector.get("/api/issues/nothing").status == 404)
      let recent = try await collector.json("/api/reports?kind=crash&limit=3")
      #expect(
        recent["reports"].array.compactMap { $0["title"].string } == (22...24).reversed().map { "SIGSEGV in f\($0)" })
    }
  }

  @Test func `reports that came before their symbols join the others when those are added`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addCrash(program.report(), at: 1000)
      batch.addCrash(
        program.report(names: [
          0: "$s8checkout4CartV5total2ofS2i_tF", 1: "$s8checkoutAAySiAA4CartVF", 2: "main",
        ]), at: 2000)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      let before = try await collector.wait(for: "/api/issues") {
        $0["issues"].array.contains { $0["culprit"].string == "Cart.total(of:)" }
      }
      #expect(before["issues"].array.count == 2)
      #expect(try await collector.addSymbols(program.path).status == 200)
      let after = try await collector.wait(for: "/api/issues") {
        $0["issues"].array.count == 1 && $0["issues"][0]["line"].int != nil
      }
      let issue = after["issues"][0]
      #expect(issue["count"].int == 2 && issue["sessions"].int == 1)
      #expect(issue["title"].string == "SIGSEGV in Cart.price(at:)")
      #expect(issue["subtitle"].string == "SEGV_MAPERR at 0x8")
      #expect(issue["line"].int == 11)
      #expect(issue["first"].int == 1000 && issue["last"].int == 2000)

      // What comes now is put there at once.
      var later = RawBatch()
      later.addContext(1, session: "s-2")
      later.addCrash(program.report(), at: 3000)
      try await collector.post(raw: later)
      let third = try await collector.wait(for: "/api/issues") { $0["issues"][0]["count"].int == 3 }
      #expect(third["issues"].array.count == 1)
    }
  }

  @Test func `a database from before there were issues gets them`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for index in 0..<5 { batch.addCrash(Self.report(["f"]), at: index) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      for table in ["issue", "issue_event", "issue_session", "issue_version", "issue_hour", "report_image"] {
        try database.execute(sql: "DROP TABLE \(table)")
      }
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '2: issues'")
    }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      let issues = try await collector.json("/api/issues")["issues"]
      #expect(issues[0]["count"].int == 5)
    }
  }

  @Test func `what was before a crash stands in the order of time, however it was recorded`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for at in [5000, 1000, 4000, 2000, 3000] { batch.addLog("at \(at)", at: at) }
      var report = Self.report(["f"])
      report.removeFirst()
      batch.addCrash("{\"reportId\":\"\(batch.launch)\"," + report, at: 9000)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 6)
      let crash = try await collector.json("/api/issues")["issues"][0]["sample"].int ?? 0
      let before = try await collector.json("/api/events/\(crash)/report")["before"].array
      #expect(before.compactMap { $0["timestamp"].int } == [1000, 2000, 3000, 4000, 5000])
    }
  }

  @Test func `hostile reports are indexed, answered and bounded`() async throws {
    let frame =
      "{\"address\":\"0xffffffffffffffff\",\"image\":99999999999,\"offset\":\"0xffffffffffffffff\",\"symbol\":\"$s\(String(repeating: "Sg", count: 100))\"}"
    let hostile = [
      "1", "\"text\"", "[]", "{}", "{\"threads\":{}}", "{\"threads\":[1,null,[]]}",
      "{\"threads\":[{\"crashed\":true,\"frames\":[\(Array(repeating: frame, count: 2000).joined(separator: ","))]}]}",
      "{\"threads\":[\(Array(repeating: "{\"frames\":[{}]}", count: 3000).joined(separator: ","))],\"images\":[{\"uuid\":5,\"base\":-1}]}",
      "{\"kind\":\"\(String(repeating: "k", count: 9000))\",\"signal\":{\"name\":\"\\n\\u001b[31m\"},\"samples\":[{\"count\":-5,\"frames\":[{\"symbol\":\"\"}]}],\"durationMs\":1e308}",
      "{\"threads\":[{\"crashed\":true,\"registers\":{\"r\":\"0xzz\",\"x0\":1.5},\"frames\":[{\"symbol\":\"_Z\(String(repeating: "N", count: 1500))\"},{\"symbol\":\"$s4main3FooVAAE3baryyF\"}]}]}",
    ]
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for report in hostile { batch.addCrash(report) }
      batch.addCrash(
        nil, domain: String(repeating: "D", count: 5000), trace: "x\\n1  lib 0xzz foo + 99999999999999999999\\n\\n")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: hostile.count + 1)
      for event in try await collector.json("/api/events?type=crash")["events"].array {
        let id = event["id"].int ?? 0
        for path in ["report", "report.txt", "report.ips"] {
          let answer = try await collector.get("/api/events/\(id)/\(path)")
          #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
          #expect(answer.body.readableBytes < 8 << 20)
          #expect(!answer.text.contains("\u{1B}"))
        }
      }
      let issues = try await collector.json("/api/issues?limit=100")["issues"].array
      #expect(issues.compactMap { $0["count"].int }.reduce(0, +) == hostile.count + 1)
      #expect(try await collector.get("/api/events/999999/report").status == 404)
      #expect(try await collector.get("/api/events/nonsense/report").status == 400)
    }
  }
}
