import NIOConcurrencyHelpers

/// A port that becomes known once.
final class BoundPort: Sendable {
  private enum State {
    case waiting([CheckedContinuation<Int, any Error>])
    case known(Result<Int, any Error>)
  }

  private let state = NIOLockedValueBox(State.waiting([]))

  var current: Int? {
    state.withLockedValue { state in
      if case .known(.success(let port)) = state { port } else { nil }
    }
  }

  var value: Int {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let known: Result<Int, any Error>? = state.withLockedValue { state in
          switch state {
          case .known(let result): return result
          case .waiting(let waiting):
            state = .waiting(waiting + [continuation])
            return nil
          }
        }
        if let known { continuation.resume(with: known) }
      }
    }
  }

  func set(_ port: Int) { resolve(.success(port)) }
  func fail(_ error: any Error) { resolve(.failure(error)) }

  private func resolve(_ result: Result<Int, any Error>) {
    let waiting: [CheckedContinuation<Int, any Error>] = state.withLockedValue { state in
      guard case .waiting(let waiting) = state else { return [] }
      state = .known(result)
      return waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}
