import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Nobody holds up the others` {
  private static let heavy = "automobile_reads_running{cost=\"heavy\"}"

  @Test func `questions that nobody waits for any more are given up`() async throws {
    try await RunningCollector.with {
      $0.fullTextSearch = false
      $0.limits.readSeconds = 300
    } _: { collector in
      try await SlowSession.add(to: collector)
      var sockets: [RawSocket] = []
      for _ in 0..<50 { sockets.append(try await collector.ask(SlowSession.question)) }
      try await collector.wait(for: Self.heavy, 3)
      // Cheap ones do not wait for them.
      #expect(try await collector.get("/api/sessions").status == 200)
      #expect(try await collector.metric(Self.heavy) == 3)
      sockets.removeAll()
      // Each of those that ran and waited would take seconds, so all of them minutes.
      try await collector.wait(for: Self.heavy, 0, seconds: 30)
    }
  }

  @Test func `beyond a number of expensive questions there is an answer at once, and one that ends lets the next in`()
    async throws
  {
    try await RunningCollector.with {
      $0.fullTextSearch = false
      $0.limits.heavyReads = 1
      $0.limits.waitingHeavyReads = 1
      $0.limits.readWaitSeconds = 300
      $0.limits.readSeconds = 300
    } _: { collector in
      try await SlowSession.add(to: collector)
      var first: RawSocket? = try await collector.ask(SlowSession.question)
      try await collector.wait(for: Self.heavy, 1)
      // Of three more, one waits, and two are told at once that it is too much.
      let statuses = try await withThrowingTaskGroup(of: RunningCollector.Answer.self) { group in
        for _ in 0..<3 { group.addTask { try await collector.get("/api/apps") } }
        var statuses: [Int] = []
        while let answer = try await group.next() {
          statuses.append(answer.status)
          if answer.status == 429 {
            #expect(answer.errorCode == "busy")
            #expect(answer.headers["Retry-After"] == ["2"])
          }
          // The place is free when its client goes.
          if statuses.count == 2 { first = nil }
        }
        return statuses
      }
      withExtendedLifetime(first) {}
      #expect(statuses == [429, 429, 200])
    }
  }

  @Test func `who waits too long for a place is told to come back`() async throws {
    try await RunningCollector.with {
      $0.fullTextSearch = false
      $0.limits.heavyReads = 1
      $0.limits.readWaitSeconds = 0.05
      $0.limits.readSeconds = 300
    } _: { collector in
      try await SlowSession.add(to: collector)
      let first = try await collector.ask(SlowSession.question)
      try await collector.wait(for: Self.heavy, 1)
      let second = try await collector.get("/api/apps")
      #expect(second.status == 429 && second.errorCode == "busy")
      withExtendedLifetime(first) {}
    }
  }

  @Test func `a question that takes too long ends, and says what to narrow`() async throws {
    try await RunningCollector.with {
      $0.fullTextSearch = false
      $0.limits.readSeconds = 0.2
    } _: { collector in
      try await SlowSession.add(to: collector)
      let answer = try await collector.get(SlowSession.question)
      #expect(answer.status == 503 && answer.errorCode == "too_expensive")
      #expect(answer.text.contains("narrow it"))
      // The connection to the database is as before.
      #expect(try await collector.get("/api/sessions").status == 200)
    }
  }
}
