import Foundation
import GRDB
import GRDBSQLite

/// Ends statements that take too long, so that a question which is too broad costs what a good one costs.
enum TimeLimit {
  /// Runs `body`; nil when it was not done after so many seconds.
  ///
  /// - Throws: what `body` throws for any other reason.
  static func run<Result>(_ seconds: Double, in database: Database, _ body: () throws -> Result) throws -> Result? {
    let deadline = Deadline(seconds)
    // Every so many steps of SQLite's machine: some microseconds.
    sqlite3_progress_handler(
      database.sqliteConnection, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    return try withExtendedLifetime(deadline) {
      do {
        return try body()
      } catch  where deadline.wasOver {
        return nil
      }
    }
  }

  /// Asks a question of words: as it is, or when that takes too long for whole words only.
  ///
  /// - Parameter lookups: how many words it looks up; each has its time.
  static func narrowing<Result>(
    _ lookups: Int, in database: Database, _ body: (_ wholeWords: Bool) throws -> Result
  ) throws -> Result {
    guard lookups > 0 else { return try body(false) }
    return try run(patience * Double(min(lookups, 4)), in: database) { try body(false) } ?? body(true)
  }

  /// Seconds for the best answer.
  static let patience = 0.06

  private final class Deadline {
    private let end: UInt64
    private(set) var wasOver = false

    init(_ seconds: Double) { end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9) }

    func isOver() -> Bool {
      wasOver = wasOver || DispatchTime.now().uptimeNanoseconds >= end
      return wasOver
    }
  }
}
