import AutoMobileState
import Logging
import NIOConcurrencyHelpers

/// What a store has in memory of the state: read at the start, changed with what this collector writes, and read again when anybody
/// has written, so that collectors agree.
///
/// Reading takes a while, and others write meanwhile. `changes` counts what came into memory: what was read is taken only when
/// nothing else came since its reading began, so it never replaces what is newer.
final class StateMemory<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var value: Value
    var changes = 0
  }

  /// Beyond so many attempts somebody writes all the time, and what was read last is taken; another look follows.
  private static var mostAttempts: Int { 20 }
  /// After what could not be read it is tried again, at first so soon, and at last so seldom.
  private static var pauses: (first: Duration, longest: Duration) { (.milliseconds(200), .seconds(10)) }

  private let store: any StateStore
  private let load: @Sendable (borrowing StateReading) throws -> Value
  private let merge: @Sendable (_ old: Value, _ new: Value) -> Value
  private let contents: NIOLockedValueBox<Contents>
  private let onReload = NIOLockedValueBox<(@Sendable (_ old: Value, _ new: Value) -> Void)?>(nil)
  private let logger: Logger
  /// Has it read again: what is in memory may be older than what is stored.
  private let follower: StateFollower

  /// Reads it, on this thread.
  ///
  /// - Parameters:
  ///   - subjects: with the news of these it is read again.
  ///   - merge: what becomes of what is in memory when it was read again; by default what was read replaces it. Runs with a lock held.
  /// - Throws: what the store says.
  init(
    of subjects: Set<StateSubject>, in store: any StateStore, logger: Logger,
    load: @escaping @Sendable (borrowing StateReading) throws -> Value,
    merge: @escaping @Sendable (_ old: Value, _ new: Value) -> Value = { $1 }
  ) throws {
    (self.store, self.load, self.merge, self.logger) = (store, load, merge, logger)
    follower = StateFollower(of: subjects, in: store)
    contents = NIOLockedValueBox(Contents(value: try store.readNow(load)))
    follower.start(pauses: Self.pauses) { [weak self] in await self?.isReloaded() ?? true }
  }

  var value: Value { contents.withLockedValue { $0.value } }

  /// Looks at what is in memory, without a copy.
  func with<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    try contents.withLockedValue { try body($0.value) }
  }

  /// Changes what is in memory alone.
  func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try contents.withLockedValue { contents in
      contents.changes += 1
      return try body(&contents.value)
    }
  }

  /// Changes what `merge` keeps: what is nowhere else.
  func note<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try contents.withLockedValue { try body(&$0.value) }
  }

  /// Called when it was read again, with what was in memory and what is; any thread.
  func onReload(_ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Void) {
    onReload.withLockedValue { $0 = body }
  }

  /// Writes, and has in memory what was written before it returns.
  ///
  /// - Parameter apply: puts what `body` has answered into memory. Runs with a lock held.
  /// - Throws: what `body` or the store throws; then nothing was changed.
  @discardableResult
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result,
    then apply: @Sendable (inout Value, Result) -> Void
  ) async throws -> Result {
    let before = contents.withLockedValue { $0.changes }
    let result = try await store.write(body)
    if take(since: before, { apply(&$0, result) }) { return result }
    // Something else came meanwhile, which may be newer.
    do {
      try await reload()
    } catch {
      change { apply(&$0, result) }
      follower.lookAgain()
    }
    return result
  }

  /// Reads it again.
  func reload() async throws {
    for attempt in 1...Self.mostAttempts {
      let before = contents.withLockedValue { $0.changes }
      let new = try await store.read(load)
      if take(new, since: attempt < Self.mostAttempts ? before : nil) { return }
    }
  }

  /// The same on this thread, which is one of the collector's own.
  func reloadNow() throws {
    for attempt in 1...Self.mostAttempts {
      let before = contents.withLockedValue { $0.changes }
      let new = try store.readNow(load)
      if take(new, since: attempt < Self.mostAttempts ? before : nil) { return }
    }
  }

  /// - Parameter before: nil: it is taken in any case.
  private func take(_ new: Value, since before: Int?) -> Bool {
    let change: (old: Value, new: Value)? = contents.withLockedValue { contents in
      guard before ?? contents.changes == contents.changes else { return nil }
      let old = contents.value
      contents = Contents(value: merge(old, new), changes: contents.changes + 1)
      return (old, contents.value)
    }
    guard let change else { return false }
    if before == nil { follower.lookAgain() }
    onReload.withLockedValue { $0 }?(change.old, change.new)
    return true
  }

  private func take(since before: Int, _ body: (inout Value) -> Void) -> Bool {
    contents.withLockedValue { contents in
      guard before == contents.changes else { return false }
      contents.changes += 1
      body(&contents.value)
      return true
    }
  }

  /// Reads it again. What cannot be read is tried again until it can: a key that another collector revoked must not stay good because the
  /// store was away for a moment.
  private func isReloaded() async -> Bool {
    do {
      try await reload()
      return true
    } catch {
      logger.error("what was changed cannot be read now; trying again", metadata: ["error": "\(error)"])
      return false
    }
  }
}
