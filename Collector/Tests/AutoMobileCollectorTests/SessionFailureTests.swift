import Foundation
import GRDB
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
