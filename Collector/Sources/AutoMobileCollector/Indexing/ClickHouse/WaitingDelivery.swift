import Foundation

/// A delivery that names a context which did not come with it, and which is not in ClickHouse yet: another collector has it in its log.
/// It is left out of its batch until somebody knows, for a while.
struct WaitingDelivery: Sendable {
  /// Where its frame begins.
  var place: LogPosition
  /// Milliseconds since 1970.
  var receivedAt: Int64
  var questions: Set<ContextQuestion>

  /// Whether there is an answer to all that it asks.
  func isAnswered(by answers: [ContextQuestion: ContextAnswer]) -> Bool {
    questions.allSatisfy { answers[$0]?.context != nil }
  }

  /// Whether it is still worth waiting for.
  func mayWait(_ limits: BatchLimits, now: Int64) -> Bool {
    questions.count <= limits.mostQuestions && Double(now - receivedAt) < limits.contextPatience * 1000
  }
}
