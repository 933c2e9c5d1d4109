import Foundation

/// An answer that a thread waits for.
final class AnswerBox: @unchecked Sendable {
  // Unchecked because `condition` guards it.
  private(set) var result: Result<[ContextQuestion: ContextAnswer], any Error>?
  private let condition: NSCondition

  init(_ condition: NSCondition) { self.condition = condition }

  func fill(_ result: Result<[ContextQuestion: ContextAnswer], any Error>) {
    condition.withLock {
      self.result = result
      condition.broadcast()
    }
  }
}
