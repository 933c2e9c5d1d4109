import Foundation
import Testing

@testable import AutoMobileJournal

/// What cannot be read now is not taken for sent.
@Suite struct AheadReadTests {
  private let directory: TemporaryDirectory
  private let launch: LaunchID
  private let segments: [String]

  /// A launch that is over, with several segments.
  init() throws {
    directory = try TemporaryDirectory()
    var options = JournalOptions.small(directory)
    options.retained = []
    let first = try Journal(options)
    for number in 0..<300 { first.appendSurely("event \(number) " + String(repeating: "x", count: 200)) }
    launch = first.launch
    try #require(eventually { first.store.lock.withLock { first.store.ring.ready > first.store.ring.current } })
    first.closeAndWait()
    let name = launch.description
    segments = directory.names().filter { $0.contains(name) && $0.hasSuffix(".journal") }
    try #require(segments.count >= 5, "\(directory.names())")
  }

  private func next() throws -> Journal {
    let journal = try Journal(JournalOptions.small(directory))
    journal.setKeeping(days: 7)
    #expect(journal.launches().contains(launch))
    return journal
  }

  private func read(_ journal: Journal, isUrgent: Bool = false) -> AheadRead {
    journal.readAhead(launch, in: [0..<UInt64.max], maximumBytes: 8192, maximumRecords: 100, isUrgent: isUrgent)
  }

  /// The numbers of all events that can be read ahead, and whether something has to wait.
  private func drain(_ journal: Journal) -> (numbers: [Int], isLater: Bool) {
    var numbers: [Int] = []
    while true {
      switch read(journal) {
      case .chunk(let chunk):
        numbers += chunk.records.compactMap {
          Int(String(decoding: chunk.bytes[$0.payload], as: UTF8.self).split(separator: " ")[1])
        }
        journal.acknowledgeAhead(launch, upTo: chunk.to)
      case .nothing: return (numbers, false)
      case .later: return (numbers, true)
      }
    }
  }

  private func path(_ name: String) -> String { directory.url.appendingPathComponent(name).path }

  @Test func `what cannot be opened for a moment is read later`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    var first: (numbers: [Int], isLater: Bool) = ([], false)
    // What was read last is still known.
    try withoutFiles { first = drain(journal) }
    #expect(first.isLater && first.numbers.count < 100)
    let rest = drain(journal)
    #expect(!rest.isLater)
    #expect((first.numbers + rest.numbers).sorted() == Array(0..<300))
  }

  @Test func `a walk says when it stops at what cannot be opened for a moment, and goes on there`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    var count = 0
    func walk(from position: UInt64) -> (next: UInt64, isEnd: Bool, isHeldUp: Bool) {
      journal.walk(launch, from: position, maximumBytes: .max) { kind, _, _, _ in if kind == .event { count += 1 } }
    }
    var stopped = walk(from: 0)
    #expect(!stopped.isHeldUp && count == 300)
    count = 0
    try withoutFiles { stopped = walk(from: 0) }
    #expect(stopped.isEnd && stopped.isHeldUp && count < 300)
    stopped = walk(from: stopped.next)
    #expect(stopped.isEnd && !stopped.isHeldUp && count == 300)
  }

  @Test func `what stands behind a segment that is gone is read`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    try FileManager.default.removeItem(atPath: path(segments[1]))
    let found = drain(journal)
    #expect(!found.isLater)
    #expect(found.numbers.first == 0 && found.numbers.last == 299 && found.numbers.count < 300)
  }

  @Test func `what is damaged between two that are sent counts as damaged, not as sent`() throws {
    defer { directory.remove() }
    let file = URL(fileURLWithPath: path(segments[1]))
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("event 100 ".utf8)))
    bytes[place.lowerBound] = UInt8(ascii: "E")
    try bytes.write(to: file)
    let journal = try next()
    defer { journal.closeAndWait() }
    var damaged: UInt64 = 0
    _ = journal.walk(launch, from: 0, maximumBytes: .max) { _, _, next, payload in
      if payload.starts(with: Array("event 99 ".utf8)) { damaged = next }
    }
    #expect(drain(journal).numbers == (0..<300).filter { $0 != 100 })
    let sent = journal.store.lock.withLock { journal.store.launches[launch]?.keeping.sent }
    #expect(sent?.contains(damaged - 8) == true && sent?.contains(damaged) == false)
    journal.passSent(launch)
    let ledger = try #require(journal.ledger(of: launch))
    #expect(ledger.final && ledger.isExact(delivered: 299) && ledger.dropped["corrupt"] == 1)
  }

  @Test func `when no more ranges can be remembered, what is urgent goes, and the rest waits`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    // As if every second one of many events far behind had been sent.
    let far = (0..<UInt64(SentRanges.limit)).map { number -> Range<UInt64> in
      let start: UInt64 = (1 << 40) + number * 16
      return start..<start + 8
    }
    journal.store.lock.withLock {
      journal.store.launches[launch]?.keeping.add(SentRecord(ranges: far), acknowledged: 0, isKept: false)
    }
    guard case .later = read(journal) else {
      Issue.record("it has room for more than it may")
      return
    }
    guard case .chunk = read(journal, isUrgent: true) else {
      Issue.record("nothing urgent goes")
      return
    }
  }

  @Test func `a look for what has been passed reads no file until something was sent`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    journal.passSent(launch)
    #expect(journal.store.lock.withLock { journal.store.launches[launch]?.hasNewsToPass } == false)
    let chunk = try #require(read(journal).chunk)
    journal.acknowledgeAhead(launch, upTo: chunk.to)
    #expect(journal.store.lock.withLock { journal.store.launches[launch]?.hasNewsToPass } == true)
    _ = drain(journal)
    journal.passSent(launch)
    #expect(journal.ledger(of: launch)?.final == true)
  }

  @Test func `a search for a beginning goes no further back than it has to`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    var positions: [UInt64] = []
    var position: UInt64 = 0
    while true {
      let walked = journal.walk(launch, from: position, maximumBytes: 5000) { kind, at, _, _ in
        if kind == .event { positions.append(at) }
      }
      position = walked.next
      if walked.isEnd { break }
    }
    var looked = 0
    let found = journal.positionAfterLast(of: launch, from: positions[250], before: positions[260]) { kind, _ in
      if kind == .event { looked += 1 }
      return false
    }
    #expect(found == positions[250] && looked == 10)
    #expect(
      journal.positionAfterLast(of: launch, from: positions[250], before: .max) { _, payload in
        payload.starts(with: Array("event 255 ".utf8))
      } == positions[256])
  }

  @Test func `spares of a launch that is over do not count, and what it recorded does`() throws {
    defer { directory.remove() }
    let journal = try next()
    defer { journal.closeAndWait() }
    let left = directory.names().filter { $0.contains(launch.description) && $0.hasSuffix(".journal") }
    #expect(left.count < segments.count)
    #expect(journal.bytesOnDisk(of: launch) == left.count * 16 * 1024)
    #expect(drain(journal).numbers == Array(0..<300))
  }

  @Test func `nothing expires before it is known how long things are kept`() throws {
    defer { directory.remove() }
    var options = JournalOptions.small(directory)
    options.clock = { Int64(Date().timeIntervalSince1970 * 1000) + 9 * 86_400_000 }
    let journal = try Journal(options, isKept: false)
    defer { journal.closeAndWait() }
    journal.holdExpiry()
    journal.startKeeping()
    usleep(300_000)
    journal.setKeeping(days: 30)
    journal.allowExpiry()
    usleep(300_000)
    #expect(drain(journal).numbers == Array(0..<300))
    #expect(journal.ledger(of: launch)?.dropped["expired"] == nil)
  }
}
