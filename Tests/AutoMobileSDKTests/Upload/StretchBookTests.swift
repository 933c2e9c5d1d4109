import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What of replays is named, on the disk.
@Suite struct `Stretches of replays on the disk` {
  private let bench: StretchBench

  init() throws { bench = try StretchBench() }

  @Test func `are not written where there is no replay, and gone after an erasure`() throws {
    let stretches = ReplayStretches(url: bench.file, holding: .everything, wall: { StretchBench.start })
    stretches.add(.add(name: "rule:a", from: StretchBench.start, to: StretchBench.start + 1), in: "l")
    stretches.save()
    #expect(!FileManager.default.fileExists(atPath: bench.file.path))
    #expect(stretches.ranges(of: "l").count == 1)
    stretches.use()
    #expect(FileManager.default.fileExists(atPath: bench.file.path))
    try FileManager.default.removeItem(at: bench.file)
    stretches.forget()
    #expect(stretches.ranges(of: "l").isEmpty)
  }

  @Test func `of two processes that record at the same time are all written down`() {
    let (one, two) = (bench.stretches(), bench.stretches())
    #expect(one.ranges(of: "a").isEmpty && two.ranges(of: "b").isEmpty)
    for second in Int64(1)...3 {
      let time = StretchBench.start + second * 1000
      one.add(.add(name: "rule:x", from: time, to: time), in: "a")
      #expect(one.save())
      two.add(.add(name: "rule:x", from: time, to: time), in: "b")
      #expect(two.save())
    }
    #expect(bench.stretches().ranges(of: "a").count == 3)
    #expect(bench.stretches().ranges(of: "b").count == 3)
    // One of them has ended, and the other one looks at the rest of what it recorded.
    two.add(.add(name: "rule:x", from: StretchBench.start + 9000, to: .max), in: "a")
    #expect(two.save())
    #expect(bench.stretches().ranges(of: "a").count == 4)
  }

  @Test func `of another process are not lost when one of this one's could not be written at first`() throws {
    let (one, two) = (bench.stretches(), bench.stretches())
    try FileManager.default.createDirectory(
      at: bench.file.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    one.add(.add(name: "rule:x", from: StretchBench.start, to: StretchBench.start), in: "a")
    #expect(!one.save())
    try FileManager.default.removeItem(at: bench.file)
    two.add(.add(name: "rule:x", from: StretchBench.start, to: StretchBench.start), in: "b")
    #expect(two.save())
    // Nothing new: it only tries again.
    #expect(one.save())
    #expect(bench.stretches().ranges(of: "a").count == 1 && bench.stretches().ranges(of: "b").count == 1)
  }

  @Test func `that cannot be read now are not overwritten`() throws {
    let earlier = bench.stretches()
    earlier.add(.add(name: "rule:x", from: StretchBench.start, to: StretchBench.start), in: "earlier")
    #expect(earlier.save())
    // As before a device is unlocked for the first time: the file is there, and cannot be read.
    let hidden = bench.file.appendingPathExtension("hidden")
    try FileManager.default.moveItem(at: bench.file, to: hidden)
    try FileManager.default.createDirectory(at: bench.file, withIntermediateDirectories: true)
    let stretches = bench.stretches()
    stretches.add(.add(name: "rule:x", from: StretchBench.start, to: StretchBench.start), in: "now")
    #expect(!stretches.save())
    #expect(stretches.ranges(of: "now").count == 1)
    try FileManager.default.removeItem(at: bench.file)
    try FileManager.default.moveItem(at: hidden, to: bench.file)
    #expect(stretches.save())
    #expect(bench.stretches().ranges(of: "earlier").count == 1 && bench.stretches().ranges(of: "now").count == 1)
  }

  @Test func `are forgotten when nothing can have them any more, and bounded`() {
    var book = StretchBook()
    for number in 0..<StretchBook.most + 10 {
      book.apply(.add(name: "\(number)", from: Int64(number), to: Int64(number)), in: "l")
    }
    book.forget(before: 1000)
    #expect(book.stretches.count == StretchBook.most && book.stretches.first?.name == "10")
    book.forget(before: StretchBook.longest + 4000)
    #expect(book.stretches.count == 10)
  }

  @Test func `of one session do not end with the next one, when the clock is set back in between`() {
    var book = StretchBook()
    // The same again by whoever looks a second time.
    for _ in 0..<2 {
      book.apply(.add(name: "rule:all", from: 1000, to: .max), in: "l")
      book.apply(.close(name: "rule:all", from: 1000, before: 900, last: 5000), in: "l")
      book.apply(.add(name: "rule:all", from: 900, to: .max), in: "l")
      book.apply(.close(name: "rule:all", from: 900, before: 3000, last: 2900), in: "l")
      #expect(book.stretches.map(\.from) == [1000, 900])
      #expect(book.stretches.map(\.to) == [5000, 2999])
    }
    #expect(book.ranges(of: "l") == [900...5000])
  }

  @Test func `are never more than one reads again, however long their names are`() throws {
    var book = StretchBook()
    for number in 0..<StretchBook.most + 10 {
      let name = "\(number)" + String(repeating: "x", count: 800)
      book.apply(.add(name: name, from: Int64(number), to: Int64(number)), in: "l")
    }
    #expect(book.stretches.count == StretchBook.most)
    #expect(book.write(to: bench.file))
    let known = try StretchBook(contentsOf: bench.file)
    #expect(known.stretches.count > StretchBook.most / 4 && known.stretches.last == book.stretches.last)
  }

  @Test func `a file that is damaged counts as none`() throws {
    try Data(#"{"format":1,"stretches":[{"launch":"#.utf8).write(to: bench.file)
    let stretches = bench.stretches()
    #expect(stretches.ranges(of: nil).isEmpty)
    stretches.add(.add(name: "rule:a", from: 5, to: 3), in: "l")
    #expect(stretches.save())
  }

  @Test func `that began earlier than they are said to are closed all the same`() {
    var book = StretchBook()
    book.apply(.add(name: "rule:a", from: 5000, to: .max, clock: 0), in: "l")
    // One that is joined moves its beginning.
    book.apply(.add(name: "rule:a", from: 3000, to: 6000, clock: 0), in: "l")
    book.apply(.close(name: "rule:a", from: 5000, before: 9000, last: 8000, clock: 0), in: "l")
    #expect(book.stretches.map(\.to) == [8999])
    // And what has begun since, not.
    book.apply(.add(name: "rule:a", from: 9000, to: .max, clock: 0), in: "l")
    book.apply(.close(name: "rule:a", from: 5000, before: 9000, last: 8000, clock: 0), in: "l")
    #expect(book.stretches.map(\.to) == [8999, .max])
  }
}
