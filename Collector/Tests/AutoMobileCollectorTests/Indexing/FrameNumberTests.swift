import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `Numbers of records in the log` {
  private static let now: Int64 = 1_780_000_000_000

  private func numbers(_ directory: TemporaryDirectory, writer: Int = 3, at time: Int64 = now) throws -> FrameNumbers {
    try FrameNumbers(directory: LogDirectory(path: directory.url.path), writer: writer) { time }
  }

  @Test func `They grow, also when the process has ended and the clock was set back`() throws {
    let directory = try TemporaryDirectory()
    var first = try numbers(directory)
    var given = [try first.take(5), try first.take(1)]
    #expect(given[1] - given[0] == 5 * FrameNumbers.step)
    // It ends without a word.
    var second = try numbers(directory, at: Self.now - 86_400_000)
    given.append(try second.take(1))
    second.close()
    var third = try numbers(directory, at: Self.now - 2 * 86_400_000)
    given.append(try third.take(1))
    #expect(given == given.sorted() && Set(given).count == given.count)
    #expect(given[3] - given[2] == FrameNumbers.step)
  }

  @Test func `More than the clock has ticks for are different numbers all the same, and the clock catches up`() throws {
    let directory = try TemporaryDirectory()
    let clock = NIOLockedValueBox(Self.now)
    var numbers = try FrameNumbers(directory: LogDirectory(path: directory.url.path), writer: 0) {
      clock.withLockedValue { $0 }
    }
    let first = try numbers.take(1_000_000)
    let second = try numbers.take(1)
    #expect(second == first + 1_000_000 * FrameNumbers.step)
    clock.withLockedValue { $0 += 60_000 }
    #expect(try numbers.take(1) == FrameNumbers.first(at: Self.now + 60_000))
  }

  @Test func `Two collectors never give the same one`() throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    var (first, second) = (try numbers(one, writer: 0), try numbers(other, writer: 127))
    var given: Set<Int64> = []
    for count in [1, 100, 3] {
      for start in [try first.take(count), try second.take(count)] {
        for index in 0..<Int64(count) { given.insert(start + index * FrameNumbers.step) }
      }
    }
    #expect(given.count == 208)
  }

  @Test(arguments: [0, now, 2_300_000_000_000] as [Int64])
  func `They are whole numbers to JavaScript`(time: Int64) throws {
    let directory = try TemporaryDirectory()
    var numbers = try numbers(directory, writer: 127, at: time)
    #expect((0..<1 << 53).contains(try numbers.take(1000)))
  }

  @Test func `A clock that stands beyond them gives none, and says so`() throws {
    let directory = try TemporaryDirectory()
    var numbers = try numbers(directory, at: .max)
    #expect(throws: NumbersSpent.self) { try numbers.take(1) }
  }

  @Test func `A file that holds no number is passed over`() throws {
    let directory = try TemporaryDirectory()
    for text in ["", "x", "-5", "99999999999999999999", "\0\0"] {
      try Data(text.utf8).write(to: directory.url.appending(path: "numbers"))
      var numbers = try numbers(directory)
      #expect(try numbers.take(1) == FrameNumbers.first(at: Self.now) + 3)
    }
  }
}
