import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Delivery to a receiver that works.
@Suite struct DeliveryWorkerTests {
  @Test func `what is recorded arrives once, in order, with its context, and is acknowledged`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try bench.worker(journal, to: receiver.url)
    journal.setContext(1)
    for number in 0..<2000 { journal.appendSurely(event(number)) }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 2000 })
    for number in 2000..<2100 { journal.appendSurely(event(number)) }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 2100 })

    let store = receiver.store
    let events = try #require(store.events[journal.launch])
    #expect(events.sorted { $0.key < $1.key }.map { numbers([$0.value]).first } == Array(0..<2100))
    #expect(store.violations == [])
    #expect(store.duplicates == 0)
    let first = try #require(events.min { $0.key < $1.key }?.value)
    #expect(first.contains(#""sessionId":"session 1""#))
    #expect(first.contains("contextId") == false)
    #expect(journal.ledger.recorded - journal.ledger.lost == 2100)
  }

  @Test func `the first batch is an envelope, and the journal format follows once it was offered`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try bench.worker(journal, to: receiver.url)
    journal.setContext(1)
    for number in 0..<1200 { journal.appendSurely(event(number)) }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 1200 })
    let store = receiver.store
    #expect(store.taken[.envelope] == 1)
    #expect((store.taken[.journal] ?? 0) >= 2)
    #expect(store.codings == ["deflate": store.taken[.journal] ?? 0])
    #expect(store.violations == [])
    #expect(worker.status.format == "journal")
    let request = try #require(receiver.requests.first)
    #expect(request.path == "/sdk-events")
    #expect(request.headers["authorization"] == "Bearer key")
    #expect(request.headers["user-agent"] == "AutoMobileSDK/0.1.0")
  }

  @Test func `a receiver that never offered the journal format gets envelopes only`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver(.envelopeOnly)
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try bench.worker(journal, to: receiver.url)
    journal.setContext(1)
    for number in 0..<1200 { journal.appendSurely(event(number)) }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 1200 })
    #expect(receiver.store.taken.keys.elementsEqual([.envelope]))
    #expect(receiver.store.violations == [])
    #expect(numbers(receiver.store.events[journal.launch, default: [:]].values) == Array(0..<1200))
  }

  @Test func `earlier launches come first, the oldest first, and end with their final ledger`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let first = try bench.deadLaunch((0..<700).map { event($0) })
    let second = try bench.deadLaunch((700..<710).map { event($0) })
    let journal = try await bench.journal(after: [first, second])
    journal.setContext(1)
    journal.appendSurely(event(710))
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 711 })
    #expect(journal.launches() == [journal.launch])

    let store = receiver.store
    #expect(numbers(store.events[first, default: [:]].values) == Array(0..<700))
    #expect(numbers(store.events[second, default: [:]].values) == Array(700..<710))
    #expect(numbers(store.events[journal.launch, default: [:]].values) == [710])
    for (launch, count) in [(first, 700), (second, 10)] {
      let ledger = try #require(store.ledgers[launch])
      #expect(ledger.final)
      #expect(ledger.recorded - ledger.lost == UInt64(count))
    }
    #expect(store.ledgers[journal.launch]?.final == false)
    #expect(store.order == [first, second, journal.launch])
    #expect(store.violations == [])
  }

  @Test func `contexts and breadcrumbs alone are no reason for a request`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try bench.worker(journal, to: receiver.url)
    journal.setContext(1)
    journal.appendSurely(#"{"timestamp":1.5,"category":"custom","message":"m","metadata":{}}"#, .breadcrumb)
    // Asks for nothing, and has the worker read on: what it does is done in order.
    worker.retryNow()
    worker.queue.sync {}
    #expect(receiver.requests.isEmpty)
    // The context has been acknowledged, and still goes with the events that name it.
    for number in 1...2 {
      journal.appendSurely(event(number))
      worker.wake()
      #expect(await eventually(bench.clock) { worker.settled == number })
    }
    #expect(receiver.store.taken == [.envelope: 1, .journal: 1])
    #expect(receiver.store.violations == [])
    #expect(receiver.store.events[journal.launch]?.values.allSatisfy { $0.contains("session 1") } == true)
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `each event keeps its own context, also when it changes with every event`(
    dialect: TestReceiver.Dialect
  ) async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver(dialect)
    defer { receiver.stop() }
    let journal = try bench.journal()
    for number in 0..<700 {
      journal.setContext(number)
      journal.appendSurely(event(number, context: number))
    }
    // A thread that was slow to record names a context that is no longer the last.
    journal.appendSurely(event(700, context: 600))
    let worker = try bench.worker(journal, to: receiver.url) { $0.maximumRecords = 2000 }
    worker.wake()
    #expect(await eventually(bench.clock) { worker.settled == 701 })
    #expect(receiver.store.violations == [])
    let wrong = receiver.store.events[journal.launch, default: [:]].values.filter { json in
      let number = numbers([json]).first ?? -1
      return !json.contains(#""sessionId":"session \#(number == 700 ? 600 : number)""#)
    }
    #expect(wrong == [])
  }

  @Test func `a launch that comes back finds the contexts that an earlier process acknowledged`() async throws {
    let bench = try DeliveryBench()
    func liveAndDie() async throws -> LaunchID {
      let receiver = try TestReceiver()
      defer { receiver.stop() }
      let journal = try bench.journal()
      defer { journal.close() }
      journal.setContext(1)
      journal.appendSurely(event(0))
      let worker = try bench.worker(journal, to: receiver.url)
      worker.wake()
      #expect(await eventually(bench.clock) { worker.settled == 1 })
      journal.appendSurely(event(1))
      return journal.launch
    }
    let first = try await liveAndDie()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let second = try await bench.journal(after: [first])
    let worker = try bench.worker(second, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { receiver.store.ledgers[first]?.final == true })
    let events = receiver.store.events[first, default: [:]]
    #expect(numbers(events.values) == [1])
    #expect(events.values.first?.contains("session 1") == true)
    #expect(receiver.store.ledgers[first] == LaunchLedger(recorded: 2, final: true))
  }

  @Test func `the status tells what is going on`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    let worker = try bench.worker(journal, to: receiver.url)
    #expect(worker.status.endpoint == receiver.url.appendingPathComponent("sdk-events"))
    #expect(worker.status.lastStatusCode == nil)
    journal.appendSurely(event(1, context: nil))
    worker.wake()
    #expect(await eventually(bench.clock) { worker.status.batchesDelivered == 1 })
    let status = worker.status
    #expect(status.lastStatusCode == 200)
    #expect(status.lastError == nil)
    #expect(status.eventsDelivered == 1)
    #expect(status.bytesSent > 0)
    #expect(status.lastSuccess != nil)
    #expect(status.nextAttempt == nil)
  }
}
