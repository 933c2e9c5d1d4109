import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `What failed in a session` {
  private static func exception(_ message: String, at time: Int, context: Int = 1) -> String {
    """
    {"eventType":"handled_exception","timestamp":\(time),"errorDomain":"Shop.Failure","customMessage":"\(message)",\
    "stackTrace":"","contextId":\(context)}
    """
  }

  private static func failures(of session: String, _ collector: RunningCollector) async throws -> [String] {
    let all = try await collector.json("/api/sessions")["sessions"].array
    return all.first { $0["sessionId"].string == session }?["failures"].array.compactMap { $0["title"].string } ?? []
  }

  @Test func `is what took the app away and what it told of, in the order of time`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "bad")
      batch.add(RecordedRequest(url: "https://shop.example/v1/pay", status: 503, at: 10))
      batch.add(.event, Self.exception("No points were added", at: 15))
      for time in [20, 21, 22] { batch.add(.event, Self.exception("The payment failed", at: time)) }
      batch.add(.event, #"{"eventType":"hang","timestamp":30,"durationMs":2500.5,"contextId":1}"#)
      // So many that the crash is not among the first.
      for time in 0..<60 { batch.addLog("it failed", at: 40 + time, level: 4) }
      batch.add(
        .event, #"{"eventType":"crash","timestamp":200,"errorDomain":"SIGSEGV","stackTrace":"","contextId":1}"#)
      batch.addContext(2, session: "requests")
      batch.add(RecordedRequest(url: "https://shop.example/v1/pay", status: 503, at: 10, context: 2))
      batch.addLog("it failed", at: 11, context: 2, level: 4)
      batch.addContext(3, session: "logs")
      batch.addLog("first\\nline", at: 10, context: 3, level: 4)
      batch.addLog(String(repeating: "x", count: 400), at: 11, context: 3, level: 5)
      batch.addContext(4, session: "fine")
      batch.addLog("all is well", at: 10, context: 4)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 72)
      #expect(try await Self.failures(of: "bad", collector) == ["The payment failed", "Crash: SIGSEGV"])
      #expect(try await Self.failures(of: "requests", collector) == ["GET /v1/pay: 503"])
      #expect(try await Self.failures(of: "logs", collector) == ["first", String(repeating: "x", count: 120) + "…"])
      #expect(try await Self.failures(of: "fine", collector).isEmpty)
    }
  }

  @Test func `is told in the words of its own report, not of another one of the issue`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      func crash(in function: String, context: Int) -> String {
        """
        {"eventType":"crash","timestamp":\(context),"errorDomain":"SIGSEGV","stackTrace":"0 \(function)",\
        "bundleId":"dev.example.shop","contextId":\(context)}
        """
      }
      for context in 1...6 { batch.addContext(context, session: "s-\(context)") }
      // Two messages of one template.
      batch.add(.event, Self.exception("The payment of 12.50 failed", at: 1, context: 1))
      batch.add(.event, Self.exception("The payment of 7 failed", at: 2, context: 2))
      // What is going to be merged into the payments.
      batch.add(.event, Self.exception("No points were added", at: 3, context: 3))
      batch.add(.event, crash(in: "pay", context: 4))
      batch.add(.event, crash(in: "redeem", context: 5))
      // An error without words says what it is.
      batch.add(
        .event,
        #"{"eventType":"handled_exception","timestamp":6,"errorDomain":"Silent","errorMessage":7,"contextId":6}"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 6)
      func check() async throws {
        for (session, said) in [
          (1, "The payment of 12.50 failed"), (2, "The payment of 7 failed"), (3, "No points were added"),
          (4, "Crash in pay"), (5, "Crash in redeem"), (6, "Silent"),
        ] {
          #expect(try await Self.failures(of: "s-\(session)", collector) == [said])
        }
        let event = try await collector.json("/api/sessions/s-5/events")["events"][0]
        #expect(event["culprit"].string == "redeem", "so does the session's own page")
      }
      try await check()
      let issues = try await collector.json("/api/issues?limit=100")["issues"].array
      #expect(issues.count == 5)
      func name(_ session: String) async throws -> String {
        let event = try await collector.json("/api/sessions/\(session)/events")["events"][0]["id"].int ?? 0
        return issues.first { $0["sample"].int == event }?["id"].string ?? ""
      }
      let (payment, points) = (try await name("s-2"), try await name("s-3"))
      let (pay, redeem) = (try await name("s-4"), try await name("s-5"))
      for (part, target) in [(points, payment), (redeem, pay)] {
        let answer = try await collector.send(
          .POST, "/api/issues/\(target)/merge", headers: [("Content-Type", "application/json")],
          body: ByteBuffer(string: "{\"issues\":[\"\(part)\"]}"))
        #expect(answer.status == 200, "\(answer.text)")
      }
      #expect(try await collector.json("/api/issues?limit=100")["issues"].array.count == 3)
      try await check()
    }
  }

  @Test func `is found by an index, for all of a page at once`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      for number in 1...30 {
        batch.addContext(number, session: "s-\(number)")
        for time in 0..<20 { batch.addLog("fine", at: time, context: number) }
        batch.add(.event, Self.exception("Failure \(number)", at: 100, context: number))
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 630)
      let database = try DatabaseQueue(path: collector.directory.appending(path: "index.sqlite").path)
      try await database.writeWithoutTransaction { try OpenNames.add(to: $0) }
      try await database.read { database in
        let sessions = try Int64.fetchAll(database, sql: "SELECT id FROM session")
        let statements = LockedCount()
        database.trace { if case .statement = $0 { statements.add() } }
        let failures = try SessionFailure.of(sessions, in: database)
        database.trace(nil)
        #expect(failures.count == 30 && failures.values.allSatisfy { $0.count == 1 })
        #expect(statements.value <= 2, "one question for a page, and one for what logs say")
      }
    }
  }
}

private final class LockedCount: @unchecked Sendable {
  // Unchecked: behind its lock.
  private let lock = NSLock()
  private var count = 0
  var value: Int { lock.withLock { count } }
  func add() { lock.withLock { count += 1 } }
}
