import AutoMobileState
import Foundation

/// Threads that wait for the server, so that none of Swift's does. What has no thread yet waits in the order in which it came, for a
/// bounded time.
///
/// Unchecked: what changes is read and written with the lock held.
final class PostgresWorkers: @unchecked Sendable {
  /// Something that was asked for; done by a thread, or given up.
  private struct Job {
    var number: Int
    var run: () -> Void
    var giveUp: (StateError) -> Void
  }

  /// That wait.
  private static let most = 4096

  private let count: Int
  private let patience: Duration
  private let lock = NSCondition()
  private var jobs: [Job] = []
  private var next = 0
  private var threads = 0
  private var resting = 0
  private var isClosed = false

  init(_ count: Int, patience: Duration) {
    self.count = max(1, count)
    self.patience = patience
  }

  /// Runs it on one of the threads.
  ///
  /// - Throws: what `body` throws; ``StateError`` when no thread had time for it, `CancellationError` when it is too late for that.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      submit {
        continuation.resume(with: Swift.Result { try body() })
      } giveUp: {
        continuation.resume(throwing: $0)
      }
    }
  }

  private func submit(_ run: @escaping @Sendable () -> Void, giveUp: @escaping @Sendable (StateError) -> Void) {
    let (number, refusal): (Int?, StateError?) = lock.withLock {
      if isClosed { return (nil, StateError(.unavailable, "the state was closed")) }
      if jobs.count >= Self.most { return (nil, Self.busy) }
      next += 1
      jobs.append(Job(number: next, run: run, giveUp: giveUp))
      let waits = jobs.count > resting && threads == count
      if jobs.count > resting, threads < count { addThread() }
      lock.signal()
      return (waits ? next : nil, nil)
    }
    if let refusal { giveUp(refusal) }
    guard let number else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(patience.milliseconds))) { [weak self] in
      self?.expire(number)
    }
  }

  private static var busy: StateError {
    StateError(.busy, "too much waits for PostgreSQL: try it again; look at pg_stat_activity for what takes so long")
  }

  private func expire(_ number: Int) {
    let job: Job? = lock.withLock {
      guard let index = jobs.firstIndex(where: { $0.number == number }) else { return nil }
      return jobs.remove(at: index)
    }
    job?.giveUp(Self.busy)
  }

  private func addThread() {
    threads += 1
    startThread("postgres") { [self] in
      while let job = nextJob() { job.run() }
    }
  }

  private func nextJob() -> Job? {
    lock.lock()
    defer { lock.unlock() }
    resting += 1
    defer { resting -= 1 }
    while jobs.isEmpty {
      if isClosed { return nil }
      lock.wait()
    }
    return jobs.removeFirst()
  }

  /// What waits is given up, what runs comes to its end.
  func close() {
    let left = lock.withLock {
      isClosed = true
      lock.broadcast()
      defer { jobs = [] }
      return jobs
    }
    for job in left { job.giveUp(StateError(.unavailable, "the state was closed")) }
  }
}
