import Foundation
import GRDB
import GRDBSQLite
import NIOConcurrencyHelpers

/// Ends the statements of one read: when it has taken too long, when nobody waits for it any more, or when the collector
/// stops.
final class ReadLimit: Sendable {
  enum Ending: Sendable { case tooLong, clientGone, stopping }

  /// Unchecked: `sqlite3_interrupt`, the only use here, may be called by any thread while the connection is open.
  private struct Connection: @unchecked Sendable {
    let pointer: SQLiteConnection?
  }

  private struct State {
    /// As long as the read has it.
    var connection: Connection?
    var ending: Ending?
  }

  private let end: UInt64
  private let client: ClientPresence
  private let stop: StopTime
  // The lock is what makes it safe to interrupt: the connection is not given back to others meanwhile.
  private let state = NIOLockedValueBox(State())

  init(seconds: Double, client: ClientPresence, stop: StopTime) {
    end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    self.client = client
    self.stop = stop
  }

  /// Runs `body`, whose statements end with the limit. The connection is left as it was found.
  ///
  /// - Throws: ``APIError`` that says why it ended early; what `body` throws.
  func run<Result>(in database: Database, _ body: () throws -> Result) throws -> Result {
    if let ending = due() { throw Self.explained(ending) }
    let connection = Connection(pointer: database.sqliteConnection)
    state.withLockedValue { $0.connection = connection }
    defer { state.withLockedValue { $0.connection = nil } }
    do {
      return try body()
    } catch {
      throw state.withLockedValue { $0.ending }.map(Self.explained) ?? error
    }
  }

  /// Looks at the clock and at the client, again and again, until the task is cancelled.
  ///
  /// Not from within SQLite (its progress handler): one step of its machine can be long, where it compares large texts.
  /// And not once: an interrupt that comes between two statements is lost on the second.
  func watch() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(20))
      guard let ending = due() else { continue }
      state.withLockedValue { state in
        guard let connection = state.connection else { return }
        state.ending = state.ending ?? ending
        sqlite3_interrupt(connection.pointer)
      }
    }
  }

  /// Why the read is to end now; nil as long as it may go on.
  private func due() -> Ending? {
    if client.isGone { return .clientGone }
    let now = DispatchTime.now().uptimeNanoseconds
    if stop.isOver(at: now) { return .stopping }
    return now >= end ? .tooLong : nil
  }

  static func explained(_ ending: Ending) -> APIError {
    switch ending {
    case .tooLong:
      APIError(
        .serviceUnavailable, "too_expensive",
        "this takes too long: narrow it to a shorter time, one app or one session, or type more of the word")
    case .clientGone: APIError(.serviceUnavailable, "client_gone", "the client closed the connection")
    case .stopping: APIError(.serviceUnavailable, "stopping", "the collector is stopping", retryAfter: 5)
    }
  }
}

/// When what still runs has to end, once that is known.
final class StopTime: Sendable {
  private let time = NIOLockedValueBox<UInt64>(.max)

  func set(after seconds: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    time.withLockedValue { $0 = min($0, end) }
  }

  func isOver(at now: UInt64) -> Bool { time.withLockedValue { now >= $0 } }
}
