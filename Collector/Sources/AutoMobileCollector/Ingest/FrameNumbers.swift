import AutoMobileJournal
import Foundation

/// Gives the records of the ingest log their numbers: below 2^53, which is as far as JavaScript counts, growing in the order of
/// arrival, and no two collectors give the same one.
///
/// A number is a time, in ticks of eight microseconds since 2026, and a writer's own number in the last digits. Where more comes than
/// there are ticks, it runs ahead of the clock, and the clock catches up. What may have been given is noted in a file beside the log,
/// some seconds ahead: so numbers grow also when the clock is set back, or the process ends.
struct FrameNumbers {
  /// How many collectors can write into one store.
  static let writers: Int64 = 128
  /// Of records without one: what was written before there were any.
  static let tick: Int64 = 8
  /// 2026-01-01, in milliseconds since 1970.
  static let epoch: Int64 = 1_767_225_600_000
  /// Until 2043.
  static let most: Int64 = (1 << 53) / writers - 1
  /// Ten seconds.
  static let ahead: Int64 = 10_000_000 / tick

  private let file: String
  private let writer: Int64
  private let clock: @Sendable () -> Int64
  /// The next tick.
  private var next: Int64
  /// Up to here they may be given.
  private var noted: Int64

  /// - Parameters:
  ///   - number: none up to this one is given: others know that it was.
  ///   - clock: milliseconds since 1970.
  /// - Throws: ``SystemError`` when the file is there and cannot be read.
  init(
    directory: LogDirectory, writer: Int, above number: Int64 = -1,
    clock: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) throws {
    file = directory.path + "/numbers"
    self.writer = min(max(0, Int64(writer)), Self.writers - 1)
    self.clock = clock
    let text = try SyncedFile.read(file).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    noted = min(max(0, text ?? 0, number < 0 ? 0 : number / Self.writers + 1), Self.most)
    next = noted
  }

  /// All that have been given are at most this one, and none that will be is.
  var before: Int64 { (next - 1) * Self.writers + writer }

  /// - Returns: the number of the first of so many records; those of the others are ``step`` apart.
  /// - Throws: ``SystemError`` when it cannot be noted: then nothing may be written, either.
  mutating func take(_ count: Int) throws -> Int64 {
    let first = max(next, Self.ticks(clock()))
    let end = first + Int64(max(1, count))
    guard end <= Self.most else { throw NumbersSpent() }
    if end > noted {
      let ahead = min(end + Self.ahead, Self.most)
      try SyncedFile.write(Array(String(ahead).utf8), to: file)
      noted = ahead
    }
    next = end
    return first * Self.writers + writer
  }

  /// Nothing more is given: the next one goes on from here.
  mutating func close() {
    guard next < noted else { return }
    try? SyncedFile.write(Array(String(next).utf8), to: file)
    noted = next
  }

  /// Between the numbers of two records of one delivery.
  static let step = writers

  /// What a record would have got that came at a time.
  static func first(at milliseconds: Int64) -> Int64 { ticks(milliseconds) * writers }

  private static func ticks(_ milliseconds: Int64) -> Int64 {
    let since = min(max(0, milliseconds.subtractingReportingOverflow(epoch).partialValue), 1 << 40)
    return min(since * 1000 / tick, most)
  }
}

/// A clock that stands far in the future, or a file that somebody has written.
struct NumbersSpent: Error, CustomStringConvertible {
  var description: String { "there are no numbers left for records: is this machine's clock right?" }
}
