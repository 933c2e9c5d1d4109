import AutoMobileJournal
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

/// Receivers that fail, refuse and misbehave: nothing is lost, nothing comes twice, and everything is accounted for.
@Suite struct AdverseDeliveryTests {
  /// A worker with one event to deliver, which the receiver did not take at the first try.
  private func putOff(_ bench: DeliveryBench, by receiver: TestReceiver) async throws -> DeliveryWorker {
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually { worker.status.nextAttempt != nil })
    return worker
  }

  @Test func `a receiver that is down is asked less and less often, and gets everything when it is up`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<900 { journal.appendSurely(event(number)) }
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { bench.clock.waits.count >= 9 })
    for (wait, least) in zip(bench.clock.waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      #expect((Int64(least) * 1000...Int64(least) * 1250).contains(wait))
    }
    #expect(worker.status.lastStatusCode == 0)
    #expect(worker.status.lastError != nil)
    #expect(worker.settled == 0)

    try receiver.goUp()
    #expect(await eventually(bench.clock) { worker.settled == 900 })
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<900))
    #expect(receiver.store.duplicates == 0)
    #expect(worker.status.lastError == nil)
  }

  @Test func `a wake while waiting sends nothing, and a retry at once does`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { number in number == 0 ? .instead(.json(503, "{}")) : .take }
    defer { receiver.stop() }
    let worker = try await putOff(bench, by: receiver)
    for _ in 0..<5 {
      worker.wake()
      worker.queue.sync {}
    }
    #expect(receiver.requests.count == 1)
    worker.retryNow()
    #expect(await eventually { worker.settled == 1 })
    #expect(receiver.requests.count == 2)
  }

  @Test(arguments: [429, 503, 401])
  func `ten returns to the foreground shorten no wait that the receiver has asked for`(_ status: Int) async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { number in
      number == 0 ? .instead(.json(status, headers: ["Retry-After": "600"], "{}")) : .take
    }
    defer { receiver.stop() }
    let worker = try await putOff(bench, by: receiver)
    for _ in 0..<10 {
      bench.clock.pass(milliseconds: 50_000)
      worker.retryNow()
      worker.queue.sync {}
    }
    #expect(worker.status.requests == 1)
    #expect(await eventually(bench.clock) { worker.settled == 1 })
    #expect(receiver.requests.count == 2)
  }

  @Test func `who stops while the receiver wants to be left alone leaves what there is to the next launch`()
    async throws
  {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { _ in .instead(.json(429, headers: ["Retry-After": "600"], "{}")) }
    defer { receiver.stop() }
    let worker = try await putOff(bench, by: receiver)
    let stopped = Locked(false)
    worker.stop(within: 60_000) { stopped.withLock { $0 = true } }
    #expect(await eventually { stopped.withLock { $0 } })
    #expect(receiver.requests.count == 1 && worker.settled == 0)
  }

  @Test func `the receiver's wish for a later time is honoured`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { number in
      switch number {
      case 0: .instead(.json(429, headers: ["Retry-After": "77"], "{}"))
      case 1: .instead(.json(503, headers: ["Retry-After": "99999"], "{}"))
      case 2: .instead(.json(429, headers: ["Retry-After": "nonsense"], "{}"))
      default: .take
      }
    }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 1 })
    let waits = bench.clock.waits
    #expect(waits.count == 3)
    #expect(waits.prefix(2) == [77_000, RetryAfter.longest])
    #expect(waits.last.map { (4000...5000).contains($0) } == true)
  }

  @Test(arguments: [1, 2, 3, 4]) func `whatever a moody receiver answers, the ledger is exact`(seed: UInt64)
    async throws
  {
    let bench = try DeliveryBench()
    let random = Locked(SeededRandom(seed))
    let receiver = try TestReceiver { _ in
      let answers: [ScriptedAnswer] = [
        .json(500, "{}"), .json(429, headers: ["Retry-After": "1"], "{}"),
        TestReceiver.Dialect.both.answer(400, #"{"ok":false,"error":{"code":"x","message":"moody"}}"#),
        TestReceiver.Dialect.both.answer(413, "{}"), .close, .bytes(Data("garbage\r\n\r\n".utf8)),
        .bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{".utf8)), .json(408, "not json"),
        .json(502, headers: ["Content-Type": "text/html"], "<html>"),
      ]
      return random.withLock { random in
        Int.random(in: 0..<2, using: &random) == 0
          ? .take : answers.randomElement(using: &random).map { .instead($0) } ?? .take
      }
    }
    defer { receiver.stop() }
    let earlier = try bench.deadLaunch((0..<500).map { event($0) })
    let journal = try await bench.journal(after: [earlier])
    journal.setContext(1)
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    for number in 500..<1000 {
      journal.appendSurely(event(number))
      if number.isMultiple(of: 100) { worker.wake() }
    }
    worker.wake()
    #expect(await eventually(within: 60, bench.clock) { worker.settled == 1000 })
    #expect(await eventually(bench.clock) { receiver.store.ledgers[earlier]?.final == true })

    let store = receiver.store
    let stored = store.numbers(of: earlier) + store.numbers(of: journal.launch)
    #expect((stored + bench.setAsideNumbers).sorted() == Array(0..<1000))
    #expect(store.violations == [])
    #expect(store.duplicates == 0)
    let ledger = try #require(store.ledgers[earlier])
    #expect(ledger.recorded - ledger.lost == UInt64(store.events[earlier, default: [:]].count))
    #expect(
      journal.ledger.recorded - journal.ledger.lost == UInt64(store.events[journal.launch, default: [:]].count))
    #expect(
      (ledger.dropped["rejected"] ?? 0) + (journal.ledger.dropped["rejected"] ?? 0) == UInt64(bench.setAside.count))
  }

  @Test(arguments: [11, 12]) func `answers that get lost make duplicates, and the receiver keeps one`(
    seed: UInt64
  ) async throws {
    let bench = try DeliveryBench()
    let random = Locked(SeededRandom(seed))
    let receiver = try TestReceiver { _ in
      let answers: [ScriptedAnswer] = [
        .close, .json(500, "{}"), .json(503, "{}"), .bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".utf8)),
        .answer(200, headers: ["Content-Type": "text/html"], body: Data("<html>Welcome to our hotel".utf8)),
        .json(200, #"{"ok":false}"#), .json(200, "not json"),
      ]
      return random.withLock { random in
        Int.random(in: 0..<2, using: &random) == 0
          ? .take : answers.randomElement(using: &random).map { .takeAndSay($0) } ?? .take
      }
    }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    let worker = try bench.worker(journal, to: receiver.url) { $0.maximumRecords = 50 }
    for number in 0..<1000 { journal.appendSurely(event(number)) }
    worker.wake()
    #expect(await eventually(within: 60, bench.clock) { worker.settled == 1000 })
    let store = receiver.store
    #expect(store.numbers(of: journal.launch) == Array(0..<1000))
    #expect(store.duplicates > 0)
    #expect(store.violations == [])
    #expect(journal.ledger.recorded - journal.ledger.lost == 1000)
    #expect(bench.setAside.isEmpty)
  }

  @Test func `a receiver that stops answering holds up nothing but its own batch`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { number in
      switch number {
      case 0: .instead(.silence)
      case 1: .takeAndSay(.silence)
      case 2: .takeAndSay(.stall(after: Data("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{".utf8)))
      default: .take
      }
    }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<100 { journal.appendSurely(event(number)) }
    let worker = try bench.worker(journal, to: receiver.url) { options in
      guard case .endpoint(var endpoint) = options.destination else { return }
      endpoint.timeouts = HTTPTimeouts(silence: 0.3, whole: 0.6)
      options.destination = .endpoint(endpoint)
    }
    worker.wake()
    // Enough requests may be too slow for so short a limit on a busy machine; in the end one is not.
    #expect(await eventually(within: 60, bench.clock) { worker.settled == 100 })
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<100))
    #expect(journal.ledger.lost == 0)
  }

  @Test func `an address or key that is wrong is said and waited for, and nothing is lost`() async throws {
    for (answer, words) in [
      (ScriptedAnswer.json(401, #"{"ok":false,"error":{"message":"unknown key"}}"#), "unknown key"),
      (.json(403, "{}"), "API key"), (.json(404, "nothing here"), "404"),
      (.answer(302, headers: ["Location": "http://127.0.0.1:1/x"]), "http://127.0.0.1:1/x"),
      (.json(405, "{}"), "405"), (.json(415, "{}"), "format"),
    ] {
      let bench = try DeliveryBench()
      let receiver = try TestReceiver { number in number < 3 ? .instead(answer) : .take }
      defer { receiver.stop() }
      let journal = try bench.journal()
      journal.appendSurely(event(0, context: nil))
      let worker = try bench.worker(journal, to: receiver.url)
      worker.wake()
      #expect(await eventually { worker.status.nextAttempt != nil })
      #expect(worker.status.lastError?.contains(words) == true)
      #expect(await eventually(bench.clock) { worker.settled == 1 })
      #expect(bench.clock.waits == [60_000, 120_000, 240_000])
      #expect(receiver.store.numbers(of: journal.launch) == [0])
      #expect(journal.ledger.lost == 0)
    }
  }
}
