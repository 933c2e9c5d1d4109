import Foundation

/// Asks for contexts beside the thread of an indexer, to which it belongs. While a shard is away an answer may take half a minute: what
/// needs none goes on meanwhile. One question is under way at a time.
struct ContextAsking {
  typealias Look = @Sendable (Set<ContextQuestion>) async throws -> [ContextQuestion: ContextAnswer]

  struct Found: Sendable {
    /// Of all that were asked; also that there is none.
    var answers: [ContextQuestion: ContextAnswer]
    /// It may be more, or others, than are asked for now.
    var asked: Set<ContextQuestion>
    /// In milliseconds since 1970: what has come since then may not be in it.
    var askedAt: Int64
  }

  /// There is no answer yet; it will be there at a later call.
  struct StillAsked: Error, CustomStringConvertible {
    var description: String { "ClickHouse has not said yet which contexts it has" }
  }

  private struct UnderWay {
    var questions: Set<ContextQuestion>
    var askedAt: Int64
    var box: AnswerBox
    var task: Task<Void, Never>
  }

  private let look: Look
  private let state: FollowerState
  private let onAsk: (Int) -> Void
  private var underWay: UnderWay?

  /// - Parameter onAsk: called with how many are asked for.
  init(_ state: FollowerState, onAsk: @escaping (Int) -> Void = { _ in }, look: @escaping Look) {
    (self.state, self.onAsk, self.look) = (state, onAsk, look)
  }

  /// What is known of these. Who asks first waits, and nobody waits twice for one answer.
  ///
  /// - Parameter patience: in seconds; nil: until all have been answered.
  /// - Returns: nil: the indexer ends.
  /// - Throws: ``StillAsked``; what ClickHouse says, for all that were asked with it.
  mutating func answers(to questions: Set<ContextQuestion>, within patience: Double?) throws -> Found? {
    guard !questions.isEmpty else { return Found(answers: [:], asked: [], askedAt: WallClock.now) }
    while true {
      let isNew = underWay == nil
      let asked = underWay ?? begin(questions)
      underWay = asked
      let due = patience.map { isNew ? Date(timeIntervalSinceNow: $0) : .distantPast } ?? .distantFuture
      switch wait(for: asked.box, until: due) {
      case .over:
        cancel()
        return nil
      case .late: throw StillAsked()
      case .answered(let result):
        underWay = nil
        let found = Found(answers: try result.get(), asked: asked.questions, askedAt: asked.askedAt)
        if patience != nil || questions.isSubset(of: found.asked) { return found }
      }
    }
  }

  /// Nothing is asked any more.
  mutating func cancel() {
    underWay?.task.cancel()
    underWay = nil
  }

  private func begin(_ questions: Set<ContextQuestion>) -> UnderWay {
    onAsk(questions.count)
    let box = AnswerBox(state.condition)
    let task = Task { [look] in
      do {
        box.fill(.success(try await look(questions)))
      } catch {
        box.fill(.failure(error))
      }
    }
    return UnderWay(questions: questions, askedAt: WallClock.now, box: box, task: task)
  }

  private enum Outcome {
    case answered(Result<[ContextQuestion: ContextAnswer], any Error>)
    case late, over
  }

  private func wait(for box: AnswerBox, until due: Date) -> Outcome {
    state.condition.lock()
    defer { state.condition.unlock() }
    while true {
      if let result = box.result { return .answered(result) }
      if state.isOverWhileLocked { return .over }
      guard Date() < due else { return .late }
      _ = state.condition.wait(until: min(due, Date(timeIntervalSinceNow: 1)))
    }
  }
}
