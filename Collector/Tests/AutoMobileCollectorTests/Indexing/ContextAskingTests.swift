import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `Asking for contexts beside the indexer` {
  private static func question(_ number: Int64) -> ContextQuestion {
    .numbered(project: "app a", launch: "l", number: number)
  }

  private static func delivery(_ number: Int64, receivedAt: Int64) -> WaitingDelivery {
    WaitingDelivery(
      place: LogPosition(segment: 1, offset: Int(number)), receivedAt: receivedAt, questions: [question(number)],
      number: number)
  }

  /// Answers nothing before it may, and then that there is none.
  private final class Shard: Sendable {
    let isThere = NIOLockedValueBox(false)
    let asked = NIOLockedValueBox<[Set<ContextQuestion>]>([])

    func asking() -> ContextAsking {
      ContextAsking(FollowerState()) { [self] questions in
        asked.withLockedValue { $0.append(questions) }
        while !isThere.withLockedValue({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, ContextAnswer(context: nil)) })
      }
    }
  }

  /// Whether there is no answer yet.
  private static func isStill(
    _ asking: inout ContextAsking, _ questions: Set<ContextQuestion>, within seconds: Double
  ) throws -> Bool {
    do {
      _ = try asking.answers(to: questions, within: seconds)
      return false
    } catch is ContextAsking.StillAsked {
      return true
    }
  }

  @Test func `Nobody waits twice for an answer that does not come, and what comes late is taken then`() async throws {
    let shard = Shard()
    var asking = shard.asking()
    let first = try Self.isStill(&asking, [Self.question(1)], within: 0.01)
    #expect(first)
    // However long they would wait: somebody has.
    let both: Set = [Self.question(1), Self.question(2)]
    for _ in 0..<3 {
      let begun = ContinuousClock.now
      let isStill = try Self.isStill(&asking, both, within: 600)
      #expect(isStill && ContinuousClock.now - begun < .seconds(300))
    }
    shard.isThere.withLockedValue { $0 = true }
    var answer: ContextAsking.Found?
    try await eventually("the answer comes") {
      do {
        answer = try asking.answers(to: both, within: 0)
      } catch is ContextAsking.StillAsked {
        return false
      }
      return true
    }
    let found = try #require(answer)
    #expect(found.asked == [Self.question(1)] && found.answers.count == 1)
    #expect(shard.asked.withLockedValue { $0 } == [[Self.question(1)]])
    // What nobody asked for is not taken for unknown, however old it is; and what came since then still waits.
    let (old, other) = (Self.delivery(1, receivedAt: 0), Self.delivery(2, receivedAt: 0))
    let late = Self.delivery(1, receivedAt: found.askedAt + 1)
    let staying = WaitingDelivery.stay(of: [old, other, late], found, BatchLimits())
    #expect(staying.map(\.receivedAt) == [0, late.receivedAt] && staying[0].place == other.place)
    let rest = try asking.answers(to: [Self.question(2)], within: nil)
    #expect(rest?.asked == [Self.question(2)])
  }

  @Test func `What must be known is asked for until it has been answered whole`() async throws {
    let shard = Shard()
    var asking = shard.asking()
    let first = try Self.isStill(&asking, [Self.question(1)], within: 0)
    #expect(first)
    shard.isThere.withLockedValue { $0 = true }
    let found = try asking.answers(to: [Self.question(1), Self.question(2)], within: nil)
    #expect(found?.answers.count == 2)
    #expect(shard.asked.withLockedValue { $0.count } == 2)
    // Nothing is asked for nothing.
    let nothing = try asking.answers(to: [], within: 0)
    #expect(nothing?.answers.isEmpty == true)
    #expect(shard.asked.withLockedValue { $0.count } == 2)
  }
}
