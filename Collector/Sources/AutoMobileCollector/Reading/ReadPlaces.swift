import NIOConcurrencyHelpers

/// Who may read the index at this moment: so many of each kind; the others wait in a line, first come, first served.
///
/// The places together are as many as the database has readers for requests, so that nothing queues inside of it.
final class ReadPlaces: Sendable {
  struct Kind: Sendable {
    var places: Int
    /// The longest line, and for how many seconds somebody waits in it; nil: as long as it takes.
    var waiting: Int
    var patience: Double?
  }

  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct Line {
    let kind: Kind
    var running = 0
    var waiters: [(number: Int, waiter: Waiter)] = []
  }

  private struct State {
    var lines: [ReadCost: Line]
    var next = 0
    var isStopped = false
  }

  /// When what still reads has to end.
  let stopTime = StopTime()
  private let state: NIOLockedValueBox<State>

  init(_ kinds: [ReadCost: Kind]) {
    state = NIOLockedValueBox(State(lines: kinds.mapValues { Line(kind: $0) }))
  }

  /// Reads that run at this moment.
  func running(_ cost: ReadCost) -> Int { state.withLockedValue { $0.lines[cost]?.running ?? 0 } }

  /// Runs `body` when there is a place for it.
  ///
  /// - Throws: ``APIError`` 429 when the line is too long or does not get shorter; what `body` throws.
  func take<Result: Sendable>(
    _ cost: ReadCost, for client: ClientPresence, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    if try !enter(cost) { try await wait(cost, client) }
    defer { leave(cost) }
    return try await body()
  }

  /// Lets nobody in any more; what runs has so many seconds.
  func stop(after seconds: Double) {
    stopTime.set(after: seconds)
    let waiters = state.withLockedValue { state in
      state.isStopped = true
      return ReadCost.allCases.flatMap { cost -> [Waiter] in
        defer { state.lines[cost]?.waiters = [] }
        return state.lines[cost]?.waiters.map(\.waiter) ?? []
      }
    }
    for waiter in waiters { waiter.resume(throwing: ReadLimit.explained(.stopping)) }
  }

  // MARK: Coming and going

  /// Takes a place, or a place in the line; false when there is neither yet and the caller has no `waiter`.
  private func enter(_ cost: ReadCost, _ waiter: (number: Int, waiter: Waiter)? = nil) throws -> Bool {
    try state.withLockedValue { state in
      guard !state.isStopped else { throw ReadLimit.explained(.stopping) }
      guard let line = state.lines[cost] else { return true }
      if line.running < line.kind.places {
        state.lines[cost]?.running += 1
        return true
      }
      guard line.waiters.count < line.kind.waiting else { throw Self.busy }
      if let waiter { state.lines[cost]?.waiters.append(waiter) }
      return false
    }
  }

  private func wait(_ cost: ReadCost, _ client: ClientPresence) async throws {
    let (number, patience) = state.withLockedValue { state in
      state.next += 1
      return (state.next, state.lines[cost]?.kind.patience)
    }
    var impatience: Task<Void, any Error>?
    var watch: Int?
    defer {
      impatience?.cancel()
      watch.map(client.forget)
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        do {
          guard try !enter(cost, (number, waiter)) else { return waiter.resume() }
        } catch {
          return waiter.resume(throwing: error)
        }
        // In the line now: from here on whatever ends the wait finds it there.
        impatience = patience.map { seconds in
          Task { [self] in
            try await Task.sleep(for: .seconds(seconds))
            withdraw(number, from: cost, Self.busy)
          }
        }
        watch = client.onLeave { [self] in withdraw(number, from: cost, ReadLimit.explained(.clientGone)) }
        if Task.isCancelled { withdraw(number, from: cost, CancellationError()) }
      }
    } onCancel: {
      withdraw(number, from: cost, CancellationError())
    }
  }

  private func withdraw(_ number: Int, from cost: ReadCost, _ error: any Error) {
    let waiter = state.withLockedValue { state -> Waiter? in
      guard let index = state.lines[cost]?.waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return state.lines[cost]?.waiters.remove(at: index).waiter
    }
    waiter?.resume(throwing: error)
  }

  /// The place goes to the first in the line.
  private func leave(_ cost: ReadCost) {
    let waiter = state.withLockedValue { state -> Waiter? in
      guard let line = state.lines[cost] else { return nil }
      if line.waiters.isEmpty {
        state.lines[cost]?.running -= 1
        return nil
      }
      return state.lines[cost]?.waiters.removeFirst().waiter
    }
    waiter?.resume()
  }

  private static let busy = APIError.busy(
    "too many requests of this kind: try again", retryAfter: 2)
}
