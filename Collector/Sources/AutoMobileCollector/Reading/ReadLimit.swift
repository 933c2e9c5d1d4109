import Foundation
import GRDB
import GRDBSQLite
import NIOConcurrencyHelpers

/// Ends the statements of one read: when it has taken too long, when nobody waits for it any more, or when the collector
/// stops.
final class ReadLimit: Sendable {
  enum Ending: Sendable { case tooLong, clientGone, stopping }

  /// That of the read that this thread is in.
  @TaskLocal static var current: ReadLimit?

  private let end: UInt64
  private let client: ClientPresence
  private let stop: StopTime
  private let outcome = NIOLockedValueBox<Ending?>(nil)

  init(seconds: Double, client: ClientPresence, stop: StopTime) {
    end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    self.client = client
    self.stop = stop
  }

  /// Why the read has ended before it was done; nil when it has not.
  var ending: Ending? { outcome.withLockedValue { $0 } }

  /// Whether the read is to end now.
  func isOver() -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    let found: Ending? =
      if client.isGone { .clientGone } else if stop.isOver(at: now) { .stopping } else if now >= end { .tooLong } else {
        nil
      }
    guard let found else { return false }
    outcome.withLockedValue { $0 = $0 ?? found }
    return true
  }

  /// Runs `body`, whose statements end with the limit. The connection is left as it was found.
  ///
  /// - Throws: ``APIError`` that says why it ended early; what `body` throws.
  func run<Result>(in database: Database, _ body: () throws -> Result) throws -> Result {
    install(in: database)
    defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    return try withExtendedLifetime(self) {
      do {
        return try Self.$current.withValue(self, operation: body)
      } catch {
        throw ending.map(Self.explained) ?? error
      }
    }
  }

  /// Asks ``isOver()`` every so many steps of SQLite's machine: some microseconds.
  func install(in database: Database) {
    sqlite3_progress_handler(
      database.sqliteConnection, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<ReadLimit>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  static func explained(_ ending: Ending) -> APIError {
    switch ending {
    case .tooLong:
      APIError(
        .serviceUnavailable, "too_expensive",
        "this takes too long: ask for less, such as a shorter time, one app, one session, or more of a word")
    case .clientGone: APIError(.serviceUnavailable, "client_gone", "nobody waits for the answer")
    case .stopping: APIError(.serviceUnavailable, "stopping", "the collector is being stopped", retryAfter: 5)
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

  var isSet: Bool { time.withLockedValue { $0 != .max } }

  func isOver(at now: UInt64) -> Bool { time.withLockedValue { now >= $0 } }
}
