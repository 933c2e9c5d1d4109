import NIOConcurrencyHelpers

/// Room for rows that are not confirmed yet. Who needs more than there is waits, first come, first served.
final class InsertMemory: Sendable {
  private struct State {
    var used = 0
    var waiters: [(number: Int, bytes: Int, waiter: CheckedContinuation<Void, any Error>)] = []
    var next = 0
  }

  private let limit: Int
  private let state = NIOLockedValueBox(State())

  init(limit: Int) { self.limit = limit }

  var used: Int { state.withLockedValue { $0.used } }

  /// - Throws: ``ClickHouseError`` when so much will never fit; `CancellationError`.
  func take(_ bytes: Int) async throws {
    guard bytes <= limit else {
      throw ClickHouseError(
        .statement, "\(bytes) bytes of rows at once are more than the \(limit) that there is room for")
    }
    let number = state.withLockedValue { state -> Int in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
        let isIn = state.withLockedValue { state in
          guard !state.waiters.isEmpty || state.used + bytes > limit else {
            state.used += bytes
            return true
          }
          state.waiters.append((number, bytes, waiter))
          return false
        }
        if isIn { return waiter.resume() }
        // In the line now: a cancellation from here on finds it there.
        if Task.isCancelled { withdraw(number) }
      }
    } onCancel: {
      withdraw(number)
    }
  }

  func give(_ bytes: Int) {
    let admitted = state.withLockedValue { state in
      state.used -= bytes
      return admit(&state)
    }
    for waiter in admitted { waiter.resume() }
  }

  private func admit(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
    var admitted: [CheckedContinuation<Void, any Error>] = []
    while let first = state.waiters.first, state.used + first.bytes <= limit {
      state.used += first.bytes
      admitted.append(first.waiter)
      state.waiters.removeFirst()
    }
    return admitted
  }

  private func withdraw(_ number: Int) {
    let (waiter, admitted) = state.withLockedValue {
      state -> (CheckedContinuation<Void, any Error>?, [CheckedContinuation<Void, any Error>]) in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return (nil, []) }
      // Others behind a large one may fit.
      return (state.waiters.remove(at: index).waiter, admit(&state))
    }
    waiter?.resume(throwing: CancellationError())
    for waiter in admitted { waiter.resume() }
  }
}
