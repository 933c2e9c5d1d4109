import AutoMobileState
import Foundation

/// Which works this collector has, which it wants and which it gives up. The locks themselves are the session's; here is what others
/// ask, without waiting for the server.
///
/// Unchecked: what changes is read and written with the lock held.
final class PostgresHolds: @unchecked Sendable {
  /// Somebody who waits for the answer.
  struct Request {
    var work: StateWork
    /// Until then a server that is away is waited for.
    var deadline: ContinuousClock.Instant
    /// Who gives a work up does not wait until the server has it: who asks for one looks again for so long.
    var triesUntil: ContinuousClock.Instant?
    var pause = Duration.milliseconds(5)
    var nextTry = ContinuousClock.now
    var answer: (Result<StateHold?, StateError>) -> Void
  }

  private static let trying = Duration.milliseconds(300)
  private static let longestPause = Duration.milliseconds(50)

  private let lock = NSLock()
  private let wake: @Sendable () -> Void
  private var held: [StateWork: Int] = [:]
  private var given: [StateWork] = []
  private var requests: [Request] = []
  private var next = 0
  private var lastHeard = ContinuousClock.now
  private var isClosed = false

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  // MARK: For whoever wants a work

  func hold(_ work: StateWork, patience: Duration) async throws -> StateHold? {
    try await withCheckedThrowingContinuation { continuation in
      let request = Request(work: work, deadline: .now + patience) {
        continuation.resume(with: $0.mapError { $0 as any Error })
      }
      let isRefused = lock.withLock {
        if !isClosed { requests.append(request) }
        return isClosed
      }
      if isRefused { request.answer(.failure(StateError(.unavailable, "the state was closed"))) } else { wake() }
    }
  }

  private func isHeld(_ work: StateWork, _ number: Int) -> Bool {
    lock.withLock { held[work] == number && .now - lastHeard < PostgresSession.silence }
  }

  private func release(_ work: StateWork, _ number: Int) {
    let isGiven = lock.withLock {
      guard held[work] == number else { return false }
      held[work] = nil
      given.append(work)
      return true
    }
    if isGiven { wake() }
  }

  // MARK: For the session

  /// The server answered.
  func heard() { lock.withLock { lastHeard = .now } }

  /// All of them were lost with the connection.
  func lose() {
    lock.withLock {
      held = [:]
      given = []
    }
  }

  /// What is to be given up first, and then asked for.
  func due() -> (given: [StateWork], requests: [Request]) {
    lock.withLock {
      let now = ContinuousClock.now
      let due = requests.filter { $0.nextTry <= now }
      requests.removeAll { $0.nextTry <= now }
      defer { given = [] }
      return (given, due)
    }
  }

  /// The server has not taken it back; with the next sign of life it is asked to once more.
  func giveLater(_ work: StateWork) { lock.withLock { given.append(work) } }

  /// When somebody wants to try again.
  var nextTry: ContinuousClock.Instant? { lock.withLock { requests.map(\.nextTry).min() } }

  /// Whether the session has the lock of a work, which it would get once more.
  func has(_ work: StateWork) -> Bool { lock.withLock { held[work] != nil } }

  /// The session has locked it.
  func got(_ request: Request) {
    let work = request.work
    let number = lock.withLock {
      next += 1
      held[work] = next
      return next
    }
    request.answer(
      .success(
        StateHold(
          work, isHeld: { [self] in isHeld(work, number) }, release: { [self] in release(work, number) })))
  }

  /// Somebody else has it.
  func missed(_ request: Request) {
    var request = request
    let until = request.triesUntil ?? .now + Self.trying
    guard .now < until else { return request.answer(.success(nil)) }
    request.triesUntil = until
    request.nextTry = .now + request.pause
    request.pause = min(request.pause * 2, Self.longestPause)
    putBack(request)
  }

  /// The connection went away while it was asked.
  func putBack(_ request: Request) {
    let isRefused = lock.withLock {
      if !isClosed { requests.append(request) }
      return isClosed
    }
    if isRefused { request.answer(.failure(StateError(.unavailable, "the state was closed"))) }
  }

  /// There is no connection: who has waited long enough hears of it.
  func fail(_ error: StateError) {
    let over = lock.withLock {
      let now = ContinuousClock.now
      defer { requests.removeAll { $0.deadline <= now } }
      return requests.filter { $0.deadline <= now }
    }
    for request in over { request.answer(.failure(error)) }
  }

  func close() {
    let left = lock.withLock {
      isClosed = true
      held = [:]
      defer { requests = [] }
      return requests
    }
    for request in left { request.answer(.failure(StateError(.unavailable, "the state was closed"))) }
  }
}
