import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The connections that are open for reading, a few of them.
final class SQLiteConnections: Sendable {
  private struct Entry {
    var identity: DatabaseFile.Identity
    var connection: SQLiteConnection
  }

  private struct State {
    /// The least lately used first.
    var entries: [Entry] = []
    var isSuspended = false
  }

  static let maximumCount = 8

  private let state = Locked(State())
  private let clock: @Sendable () -> Int64

  init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

  var count: Int { state.withLock { $0.entries.count } }

  /// The connection to a file; a new one when another file has taken its place.
  func connection(to file: DatabaseFile) throws(DatabaseError) -> SQLiteConnection {
    let (found, isSuspended) = state.withLock { state -> (SQLiteConnection?, Bool) in
      guard
        let index = state.entries.firstIndex(where: { $0.identity == file.identity && $0.connection.path == file.path })
      else { return (nil, state.isSuspended) }
      let entry = state.entries.remove(at: index)
      state.entries.append(entry)
      return (entry.connection, state.isSuspended)
    }
    if isSuspended { throw .suspended }
    if let found { return found }
    let new = Entry(identity: file.identity, connection: try SQLiteConnection(path: file.path, clock: clock))
    // They are closed outside the lock.
    let (removed, isLate) = state.withLock { state -> ([Entry], Bool) in
      guard !state.isSuspended else { return ([new], true) }
      var removed = state.entries.filter { $0.connection.path == file.path }
      state.entries.removeAll { $0.connection.path == file.path }
      state.entries.append(new)
      while state.entries.count > Self.maximumCount { removed.append(state.entries.removeFirst()) }
      return (removed, false)
    }
    withExtendedLifetime(removed) {}
    if isLate { throw .suspended }
    return new.connection
  }

  /// Forgets a connection that does not work.
  func remove(_ connection: SQLiteConnection) {
    let removed = state.withLock { state in
      let removed = state.entries.filter { $0.connection === connection }
      state.entries.removeAll { $0.connection === connection }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Ends what is running and closes everything. Waits for what is running, which is a matter of moments.
  ///
  /// - Parameter suspending: nothing is opened any more, until ``resume()``.
  func closeAll(suspending: Bool = false) {
    let removed = state.withLock { state in
      if suspending { state.isSuspended = true }
      defer { state.entries = [] }
      return state.entries
    }
    for entry in removed { entry.connection.interrupt() }
    for entry in removed { entry.connection.close() }
  }

  func resume() { state.withLock { $0.isSuspended = false } }

  var isSuspended: Bool { state.withLock { $0.isSuspended } }
}
