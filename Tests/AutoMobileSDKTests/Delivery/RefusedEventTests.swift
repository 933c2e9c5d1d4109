import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Events that the receiver will never take are set aside, counted once, and hold up nothing.
@Suite struct RefusedEventTests {
  private static func isBad(_ json: String) -> Bool {
    ["event 3\"", "event 250\"", "event 251\"", "event 799\""].contains { json.contains($0) }
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `a batch that is refused is divided until the bad events stand alone`(dialect: TestReceiver.Dialect) async throws
  {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { traits in
      traits.dialect = { _ in dialect }
      traits.chokesOn = Self.isBad
    }
    defer { receiver.stop() }
    try await deliver(bench, to: receiver)
    #expect(bench.setAside.allSatisfy { $0["reason"] as? String == "cannot read an event" })
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `events that the answer names are counted as rejected, the others as delivered`(
    dialect: TestReceiver.Dialect
  ) async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { traits in
      traits.dialect = { _ in dialect }
      traits.rejects = Self.isBad
      // The first answers get lost: the events are named again, and counted once.
      traits.mood = { $0 < 2 ? .takeAndSay(.close) : .take }
    }
    defer { receiver.stop() }
    try await deliver(bench, to: receiver)
    #expect(bench.setAside.allSatisfy { $0["reason"] as? String == "not wanted" })
  }

  private func deliver(_ bench: DeliveryBench, to receiver: TestReceiver) async throws {
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<800 { journal.appendSurely(event(number)) }
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 800 })
    let good = (0..<800).filter { ![3, 250, 251, 799].contains($0) }
    #expect(receiver.store.numbers(of: journal.launch) == good)
    #expect(bench.setAsideNumbers == [3, 250, 251, 799])
    #expect(bench.setAside.allSatisfy { $0["launchId"] as? String == journal.launch.description })
    #expect(journal.ledger.dropped["rejected"] == 4)
    #expect(journal.ledger.recorded - journal.ledger.lost == 796)
    #expect(receiver.store.violations == [])
  }

  @Test func `an event too large for the receiver is set aside and the rest arrives`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { traits in
      traits.dialect = { _ in .envelopeOnly }
      traits.limit = 20_000
    }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<300 { journal.appendSurely(event(number, filling: number == 150 ? 30_000 : 10)) }
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 300 })
    #expect(receiver.store.numbers(of: journal.launch) == (0..<300).filter { $0 != 150 })
    #expect(bench.setAsideNumbers == [150])
    #expect(journal.ledger.dropped["rejected"] == 1)
  }

  @Test func `an event that fits no envelope goes to a receiver that takes the journal format`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal(segmentSize: 1 << 20)
    journal.setContext(1)
    journal.appendSurely(event(0, filling: 900_000))
    journal.appendSurely(event(1))
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 2 })
    #expect(receiver.store.numbers(of: journal.launch) == [0, 1])
    #expect(receiver.store.violations == [])
    #expect(bench.setAside.isEmpty)
  }

  @Test func `an event that fits no envelope is set aside when the receiver takes nothing else`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver(.envelopeOnly)
    defer { receiver.stop() }
    let journal = try bench.journal(segmentSize: 1 << 20)
    journal.setContext(1)
    journal.appendSurely(event(0, filling: 900_000))
    journal.appendSurely(event(1))
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 2 })
    #expect(receiver.store.numbers(of: journal.launch) == [1])
    #expect(receiver.store.violations == [])
    // Too large to be kept whole: the line says what it was.
    #expect(bench.setAside.count == 1)
    #expect(bench.setAside.first?["event"] == nil)
    #expect(journal.ledger.dropped["rejected"] == 1)
  }

  @Test func `a receiver that refuses everything is not fed the whole journal`() async throws {
    let bench = try DeliveryBench()
    let refusal = TestReceiver.Dialect.both.answer(400, #"{"ok":false,"error":{"code":"no","message":"no"}}"#)
    let receiver = try TestReceiver { _ in .instead(refusal) }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<200 { journal.appendSurely(event(number)) }
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually { worker.status.nextAttempt != nil })
    #expect(worker.settled == 8)
    #expect(await eventually(bench.clock) { bench.clock.waits.count >= 6 })
    #expect(bench.clock.waits.allSatisfy { $0 >= 60_000 })
    #expect(worker.settled <= 14)
  }

  @Test func `the set-aside file stays within its size and keeps the newest`() throws {
    let bench = try DeliveryBench()
    let journal = try bench.journal(segmentSize: 1 << 20)
    for number in 0..<60 { journal.appendSurely(event(number, filling: 5000)) }
    journal.appendSurely("not json")
    let chunk = try #require(journal.read(journal.launch, maximumBytes: 1 << 20, maximumRecords: 100))
    let file = SetAsideFile(url: bench.setAsideURL)
    for round in 0..<10 {
      for event in chunk.events { file.append(event, of: chunk, reason: "round \(round)", at: Int64(round)) }
      let size = try #require(try bench.setAsideURL.resourceValues(forKeys: [.fileSizeKey]).fileSize)
      #expect(size <= SetAsideFile.maximumSize)
    }
    let lines = bench.setAside
    #expect(lines.count > 60)
    #expect(lines.last?["bytes"] as? String == Data("not json".utf8).base64EncodedString())
    #expect(lines.last?["reason"] as? String == "round 9")
    #expect(lines.allSatisfy { $0["sequence"] != nil })
  }

  @Test func `a set-aside file that cannot be written stops nobody`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { $0.rejects = Self.isBad }
    defer { receiver.stop() }
    try FileManager.default.createDirectory(at: bench.setAsideURL, withIntermediateDirectories: false)
    let journal = try bench.journal()
    for number in 0..<10 { journal.appendSurely(event(number, context: nil)) }
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 10 })
    #expect(journal.ledger.dropped["rejected"] == 1)
  }
}
