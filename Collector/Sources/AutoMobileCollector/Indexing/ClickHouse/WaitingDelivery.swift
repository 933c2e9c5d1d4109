import Foundation

/// A delivery that names a context which did not come with it, and which is not in ClickHouse yet: another collector has it in its log.
/// It is left out of its batch until somebody knows, for a while.
struct WaitingDelivery: Sendable {
  /// Where its frame begins.
  var place: LogPosition
  /// Milliseconds since 1970.
  var receivedAt: Int64
  var questions: Set<ContextQuestion>
  /// Of its first record.
  var number: Int64

  /// Those that go on waiting. Of too many, the first ones.
  static func stay(
    of deliveries: [WaitingDelivery], _ found: ContextAsking.Found, _ limits: BatchLimits
  ) -> [WaitingDelivery] {
    let staying = deliveries.filter { delivery in
      // Others than these were asked for.
      guard delivery.questions.isSubset(of: found.asked) else { return true }
      return !delivery.isAnswered(by: found.answers) && delivery.mayWait(limits, now: found.askedAt)
    }
    return Array(staying.prefix(limits.mostWaiting))
  }

  /// Whether there is an answer to all that it asks.
  private func isAnswered(by answers: [ContextQuestion: ContextAnswer]) -> Bool {
    questions.allSatisfy { answers[$0]?.context != nil }
  }

  /// Whether it is still worth waiting for.
  private func mayWait(_ limits: BatchLimits, now: Int64) -> Bool {
    questions.count <= limits.mostQuestions && Double(now - receivedAt) < limits.contextPatience * 1000
  }
}
