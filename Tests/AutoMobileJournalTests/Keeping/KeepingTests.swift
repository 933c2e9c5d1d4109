import Foundation
import Testing

@testable import AutoMobileJournal

/// A journal that keeps what nobody wants, and sends the rest ahead of its cursor.
@Suite struct KeepingTests {
  private func options(_ directory: TemporaryDirectory) -> JournalOptions {
    var options = JournalOptions.small(directory)
    options.retained = []
    return options
  }

  /// The position of each event, and the one after it.
  private func places(_ journal: Journal, _ launch: LaunchID) -> [Range<UInt64>] {
    var places: [Range<UInt64>] = []
    var position: UInt64 = 0
    while true {
      let (next, isEnd, _) = journal.walk(launch, from: position, maximumBytes: 5000) { kind, at, next, _ in
        if kind == .event { places.append(at..<next) }
      }
      position = next
      if isEnd { return places }
    }
  }

  /// Sends some ranges; the payloads as text.
  private func send(_ journal: Journal, _ launch: LaunchID, _ ranges: [Range<UInt64>], records: Int = 7) -> [String] {
    var texts: [String] = []
    while let chunk = journal.readAhead(launch, in: ranges, maximumBytes: 4096, maximumRecords: records).chunk {
      texts += chunk.records.map { String(decoding: chunk.bytes[$0.payload], as: UTF8.self) }
      journal.acknowledgeAhead(launch, upTo: chunk.to)
    }
    return texts
  }

  @Test func `ranges are read wherever the cursor is, once, and the ledger says what is kept`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(options(directory))
    defer { journal.closeAndWait() }
    for number in 0..<500 { journal.appendSurely("event \(number)" + String(repeating: ".", count: number % 90)) }
    #expect(journal.ledger.kept == nil)
    journal.setKeeping(days: 7)
    #expect(journal.ledger.kept == 500)
    let places = places(journal, journal.launch)
    #expect(places.count == 500)
    let wanted = [places[10].lowerBound..<places[19].upperBound, places[400].lowerBound..<places[449].upperBound]
    let sent = send(journal, journal.launch, wanted)
    #expect(sent.map { $0.prefix { $0 != "." } } == (Array(10..<20) + Array(400..<450)).map { "event \($0)" })
    #expect(send(journal, journal.launch, wanted) == [])
    #expect(journal.ledger.kept == 440)
    #expect(journal.ledger.isExact(delivered: 60 + 440))
    // A part of a chunk, and one that is refused.
    let chunk = try #require(
      journal.readAhead(
        journal.launch, in: [places[100].lowerBound..<places[105].upperBound], maximumBytes: 9000, maximumRecords: 9
      ).chunk)
    journal.reject(journal.launch, [places[101].lowerBound], reason: .rejected)
    journal.acknowledgeAhead(journal.launch, upTo: places[103].lowerBound)
    #expect(chunk.records.count == 6)
    #expect(journal.ledger.dropped["rejected"] == 1)
    #expect(journal.ledger.kept == 437)
    // Where everything is sent, the rest comes, and nothing of it twice.
    journal.setKeeping(days: nil)
    let rest = journal.drain(journal.launch)
    #expect(rest.count == 437)
    #expect(Set(rest).isDisjoint(with: sent))
    #expect(journal.ledger.kept == nil)
    #expect(journal.ledger.isExact(delivered: 499))
  }

  @Test func `the next launch knows what was sent, sends more, and gives up a launch of which nothing is kept`() throws
  {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let first = try Journal(options(directory))
    first.setKeeping(days: 7)
    first.setPreamble(.context, Array(#"{"contextId":1}"#.utf8))
    for number in 0..<100 { first.appendSurely("event \(number)") }
    let places = places(first, first.launch)
    #expect(send(first, first.launch, [places[0].lowerBound..<places[39].upperBound]).count == 40)
    first.setNote(Array("marks".utf8), of: first.launch)
    first.closeAndWait()

    let second = try Journal(options(directory))
    defer { second.closeAndWait() }
    second.setKeeping(days: 7)
    #expect(second.launches().contains(first.launch))
    #expect(second.note(of: first.launch) == Array("marks".utf8))
    #expect(second.ledger(of: first.launch) == LaunchLedger(recorded: 100, kept: 60))
    second.passSent(first.launch)
    #expect(second.ledger(of: first.launch)?.final == false)
    #expect(send(second, first.launch, [0..<UInt64.max]).filter { $0.hasPrefix("event") }.count == 60)
    second.passSent(first.launch)
    #expect(second.ledger(of: first.launch) == LaunchLedger(recorded: 100, final: true, kept: 0))
    second.finish(first.launch)
    #expect(!directory.names().contains { $0.hasPrefix(first.launch.description) })
  }

  @Test func `what nobody wants expires when room is needed, before what somebody wants`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    var options = options(directory)
    options.budget = 8 * options.segmentSize
    let first = try Journal(options)
    first.setKeeping(days: 7)
    for number in 0..<300 { first.appendSurely("old \(number) " + String(repeating: "x", count: 200)) }
    let places = places(first, first.launch)
    let wanted = [places[5].lowerBound..<places[9].upperBound]
    first.closeAndWait()

    let second = try Journal(options)
    defer { second.closeAndWait() }
    second.setKeeping(days: 7)
    _ = second.launches()
    second.setWanted(wanted, of: first.launch)
    for number in 0..<600 { second.appendSurely("new \(number) " + String(repeating: "x", count: 200)) }
    let ledger = try #require(second.ledger(of: first.launch))
    #expect(ledger.dropped["expired", default: 0] > 100)
    #expect(ledger.dropped["evicted"] == nil)
    // Calls that found no room were made again.
    #expect(ledger.recorded == 300 + ledger.dropped["bufferOverflow", default: 0])
    #expect(send(second, first.launch, wanted).map { $0.prefix(5) } == (5..<10).map { "old \($0)" })
    // What of it is counted as expired is not there to be sent, and what is kept is.
    let rest = UInt64(send(second, first.launch, [0..<UInt64.max]).count)
    #expect(rest + 5 + ledger.dropped["expired", default: 0] == 300)
    second.passSent(first.launch)
    #expect(second.ledger(of: first.launch)?.final == true)
  }

  private func crowded(_ directory: TemporaryDirectory) -> JournalOptions {
    var options = options(directory)
    options.budget = 8 * options.segmentSize
    return options
  }

  /// As many launches that are over as the budget has segments, each with one event, oldest first. Something is noted of
  /// the oldest.
  private func deadLaunches(_ directory: TemporaryDirectory) throws -> [LaunchID] {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    return try (0..<8).map { number in
      var options = crowded(directory)
      options.clock = { now - 60_000 + Int64(number) * 1000 }
      let journal = try Journal(options, isKept: false)
      journal.append("event \(number)")
      if number == 0 { #expect(journal.setNote(Array("marks".utf8), of: journal.launch)) }
      journal.closeAndWait()
      return journal.launch
    }
  }

  @Test(arguments: [true, false])
  func `nothing goes for want of room before somebody could say what is wanted`(isKnownToKeep: Bool) throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let dead = try deadLaunches(directory)
    let oldest = try #require(dead.first)
    let journal = try Journal(crowded(directory), isKept: false)
    defer { journal.closeAndWait() }
    if isKnownToKeep { journal.setKeeping(days: 7) }
    journal.startKeeping()
    #expect(eventually { journal.store.lock.withLock { journal.store.ring.ready >= 2 } })
    #expect(directory.names(suffix: ".journal").count == 11)
    journal.setKeeping(days: 7)
    for launch in dead { journal.setWanted(launch == oldest ? [0..<UInt64.max] : [], of: launch) }
    #expect(eventually { directory.names(suffix: ".journal").count == 8 })
    for number in 0..<600 { journal.appendSurely("new \(number) " + String(repeating: "x", count: 200)) }
    #expect(directory.names(suffix: ".journal").count <= 8)
    #expect(send(journal, oldest, [0..<UInt64.max]) == ["event 0"])
    for launch in dead where launch != oldest { #expect(journal.ledger(of: launch)?.dropped == ["expired": 1]) }
    for launch in [oldest, journal.launch] { #expect(journal.ledger(of: launch)?.dropped["evicted"] == nil) }
  }

  @Test func `while nobody looks, no more than three segments stand beyond the budget`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let dead = try deadLaunches(directory)
    let journal = try Journal(crowded(directory), isKept: false)
    defer { journal.closeAndWait() }
    journal.setKeeping(days: 7)
    journal.startKeeping()
    for number in 0..<1200 { journal.appendSurely("new \(number) " + String(repeating: "x", count: 200)) }
    #expect((9...11).contains(directory.names(suffix: ".journal").count))
    for launch in dead + [journal.launch] {
      let ledger = try #require(journal.ledger(of: launch))
      #expect(ledger.recorded == ledger.dropped.values.reduce(0, +) + (ledger.kept ?? 0), "\(ledger)")
    }
  }

  @Test func `what is too old expires, but for what somebody wants`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let first = try Journal(options(directory))
    first.setKeeping(days: 3)
    for number in 0..<200 { first.appendSurely("event \(number) " + String(repeating: "x", count: 200)) }
    let places = places(first, first.launch)
    let wanted = [places[100].lowerBound..<places[101].upperBound]
    first.closeAndWait()
    for (days, wantedAreThere, othersAreThere) in [(2, true, true), (8, true, false), (29, false, false)] {
      var options = options(directory)
      options.clock = { now + Int64(days) * 86_400_000 }
      let next = try Journal(options, isKept: false)
      next.store.lock.withLock { next.store.load() }
      next.setWanted(wanted, of: first.launch)
      next.setKeeping(days: 3)
      next.store.lock.withLock { next.store.expire() }
      let there = Set(self.places(next, first.launch))
      #expect(there.contains(places[100]) == wantedAreThere, "\(days) days")
      #expect(there.contains(places[0]) == othersAreThere, "\(days) days")
      let ledger = next.ledger(of: first.launch)
      // Calls that found no room were made again.
      #expect(ledger?.recorded == 200 + (ledger?.dropped["bufferOverflow"] ?? 0))
      #expect(ledger?.dropped["expired", default: 0] == UInt64(200 - there.count))
      // A final ledger says it, too: else what expired would be a loss as soon as the launch is over.
      #expect(ledger?.kept == UInt64(there.count), "\(days) days")
      #expect(ledger?.final == !wantedAreThere, "\(days) days")
      next.close()
      LiveLaunches.here.remove(next.launch)
    }
  }

  @Test func `what nobody has looked at yet does not expire as what nobody wants`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let first = try Journal(options(directory))
    first.setKeeping(days: 3)
    for number in 0..<50 { first.appendSurely("event \(number)") }
    first.closeAndWait()
    #expect(directory.names(suffix: ".kept") == [])
    for (days, isThere) in [(8, true), (29, false)] {
      var options = options(directory)
      options.clock = { now + Int64(days) * 86_400_000 }
      let next = try Journal(options, isKept: false)
      next.store.lock.withLock { next.store.load() }
      next.setKeeping(days: 3)
      next.store.lock.withLock { next.store.expire() }
      #expect(places(next, first.launch).isEmpty != isThere, "\(days) days")
      if isThere {
        // Where everything is sent, age is as it was.
        #expect(next.store.lock.withLock { next.store.launches[first.launch]?.isWanted(0, isKeeping: false) } == false)
      }
      next.close()
      LiveLaunches.here.remove(next.launch)
    }
    var later = options(directory)
    later.clock = { now + 8 * 86_400_000 }
    let next = try Journal(later, isKept: false)
    for number in 0..<50 { next.appendSurely("event \(number)") }
    next.close()
    LiveLaunches.here.remove(next.launch)
    later.clock = { now + 16 * 86_400_000 }
    let last = try Journal(later, isKept: false)
    defer {
      last.close()
      LiveLaunches.here.remove(last.launch)
    }
    last.store.lock.withLock { last.store.load() }
    last.setKeeping(days: 3)
    last.setWanted([], of: next.launch)
    last.store.lock.withLock { last.store.expire() }
    #expect(places(last, next.launch).isEmpty)
  }

  @Test func `an erasure takes away what was noted, and what was sent stays counted`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(options(directory))
    defer { journal.closeAndWait() }
    journal.setKeeping(days: 7)
    for number in 0..<50 { journal.appendSurely("event \(number)") }
    let places = places(journal, journal.launch)
    #expect(send(journal, journal.launch, [places[0].lowerBound..<places[9].upperBound]).count == 10)
    journal.setNote(Array("a name".utf8), of: journal.launch)
    journal.erase()
    #expect(journal.note(of: journal.launch) == nil)
    for name in directory.names(suffix: ".kept") {
      let bytes = try Data(contentsOf: directory.url.appendingPathComponent(name))
      #expect(bytes.range(of: Data("a name".utf8)) == nil)
    }
    #expect(journal.ledger == LaunchLedger(recorded: 50, dropped: ["erased": 40], kept: 0))
    journal.appendSurely("later")
    #expect(send(journal, journal.launch, [0..<UInt64.max]) == ["later"])
    #expect(journal.ledger.kept == 0)
    journal.erase(thenKeep: false)
    #expect(directory.names() == [])
  }

  @Test func `the position after the last record of some kind is found over segments`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let journal = try Journal(options(directory))
    defer { journal.closeAndWait() }
    for number in 0..<300 { journal.appendSurely("event \(number) " + String(repeating: "x", count: 300)) }
    let places = places(journal, journal.launch)
    func after(_ number: Int, before end: UInt64) -> UInt64 {
      journal.positionAfterLast(of: journal.launch, before: end) { _, payload in
        payload.starts(with: Array("event \(number) ".utf8))
      }
    }
    #expect(after(3, before: .max) == places[3].upperBound)
    #expect(after(250, before: .max) == places[250].upperBound)
    #expect(after(250, before: places[250].lowerBound) == 0)
    #expect(after(1000, before: .max) == 0)
  }
}
