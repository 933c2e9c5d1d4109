import AutoMobileSupport
import Dispatch
import Foundation

/// Sends bodies one after the other, each again as its policy says.
final class BatchSender: Sendable {
  /// What became of a batch.
  enum Outcome: Sendable {
    case taken
    /// The receiver will never take it.
    case refused
    /// It could not be reached, again and again, or too many batches wait.
    case failed
  }

  struct Batch: Sendable {
    var url: URL
    var body: Data
    var policy: RetryPolicy
    var attempt = 0
    /// Called once.
    var completion: @Sendable (Outcome) -> Void
  }

  private struct State {
    var waiting: [Batch] = []
    var isSending = false
  }

  private let state = Locked(State())
  private let transport: any RequestTransport
  private let queue = BackgroundQueue.make("broadcast")

  /// Batches that wait in memory; more stay on disk, for the next replay.
  private static let maximumWaiting = 100

  init(transport: any RequestTransport) { self.transport = transport }

  func send(_ batch: Batch) {
    let accepted = state.withLock { state in
      guard state.waiting.count < Self.maximumWaiting else { return false }
      state.waiting.append(batch)
      return true
    }
    accepted ? next() : batch.completion(.failed)
  }

  private func next() {
    let batch = state.withLock { state -> Batch? in
      guard !state.isSending, !state.waiting.isEmpty else { return nil }
      state.isSending = true
      return state.waiting.removeFirst()
    }
    if let batch { attempt(batch) }
  }

  private func attempt(_ batch: Batch) {
    let request = HTTPRequest(url: batch.url, headers: ["Content-Type": "application/json"], body: batch.body)
    transport.send(request) { [self] answer in
      if 200..<300 ~= answer.status { return finish(batch, .taken) }
      let (shouldRetry, delayMs) = batch.policy.shouldRetry(statusCode: answer.status, attempt: batch.attempt)
      guard shouldRetry else { return finish(batch, RetryPolicy.isTransient(answer.status) ? .failed : .refused) }
      var again = batch
      again.attempt += 1
      queue.asyncAfter(deadline: .now() + .milliseconds(delayMs)) { [self, again] in attempt(again) }
    }
  }

  private func finish(_ batch: Batch, _ outcome: Outcome) {
    batch.completion(outcome)
    state.withLock { $0.isSending = false }
    next()
  }
}
