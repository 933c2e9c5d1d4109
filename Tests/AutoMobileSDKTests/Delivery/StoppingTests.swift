import AllocationCounter
import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// The end of a delivery, and of the process in the middle of one.
@Suite struct StoppingTests {
  @Test func `stopping delivers what is there, calls back, and sends nothing after`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    for number in 0..<700 { journal.appendSurely(event(number)) }
    let worker = try bench.worker(journal, to: receiver.url)
    let stopped = Locked(0)
    worker.stop(within: 60_000) { stopped.withLock { $0 += 1 } }
    worker.stop(within: 60_000) { stopped.withLock { $0 += 1 } }
    #expect(await eventually { stopped.withLock { $0 } == 2 })
    #expect(receiver.store.numbers(of: journal.launch) == Array(0..<700))
    journal.appendSurely(event(700))
    worker.wake()
    worker.retryNow()
    worker.stop(within: 0) { stopped.withLock { $0 += 1 } }
    #expect(await eventually { stopped.withLock { $0 } == 3 })
    #expect(worker.settled == 700)
  }

  @Test func `stopping does not wait for a receiver that is down`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    let worker = try bench.worker(journal, to: receiver.url)
    let stopped = Locked(false)
    worker.stop(within: .max) { stopped.withLock { $0 = true } }
    #expect(await eventually { stopped.withLock { $0 } })
    #expect(worker.settled == 0)
  }

  @Test func `at the deadline an unanswered request is given up, and the next launch delivers it`() async throws {
    let bench = try DeliveryBench()
    func liveAndDie() async throws -> LaunchID {
      let receiver = try TestReceiver { _ in .takeAndSay(.silence) }
      defer { receiver.stop() }
      let journal = try bench.journal()
      defer { journal.close() }
      journal.setContext(1)
      journal.appendSurely(event(0))
      let worker = try bench.worker(journal, to: receiver.url)
      let stopped = Locked(false)
      worker.stop(within: 1000) { stopped.withLock { $0 = true } }
      #expect(await eventually { !receiver.requests.isEmpty })
      #expect(await eventually(bench.clock) { stopped.withLock { $0 } })
      return journal.launch
    }
    let first = try await liveAndDie()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let second = try await bench.journal(after: [first])
    let worker = try bench.worker(second, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { receiver.store.ledgers[first]?.final == true })
    #expect(receiver.store.numbers(of: first) == [0])
  }

  @Test func `a worker that nobody holds any more goes away, with its request`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { $0.isUp = false }
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.appendSurely(event(0, context: nil))
    weak var weakly: DeliveryWorker?
    do {
      let worker = try bench.worker(journal, to: receiver.url)
      weakly = worker
      worker.wake()
      #expect(await eventually { worker.status.nextAttempt != nil })
    }
    let isGone = { weakly == nil }
    #expect(await eventually { isGone() })
  }

  @Test(.enabled(if: allocation_counter_available(), "counts on Linux only, and without sanitizers"))
  func `waking allocates nothing`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let worker = try bench.worker(try bench.journal(), to: receiver.url)
    worker.wake()
    // Dispatch allocates when it makes a thread for the queue, which it does as it sees fit. What waking itself allocated would be in all.
    let counts = (0..<10).map { _ in
      let before = allocation_counter_thread_count()
      for _ in 0..<100 { worker.wake() }
      return allocation_counter_thread_count() - before
    }
    #expect(counts.min() == 0, "\(counts)")
  }

  @Test func `a final ledger that is refused three times is let go`() async throws {
    let bench = try DeliveryBench()
    let refusal = TestReceiver.Dialect.both.answer(400, #"{"ok":false}"#)
    let receiver = try TestReceiver { number in number > 0 ? .instead(refusal) : .take }
    defer { receiver.stop() }
    let dead = try bench.deadLaunch([event(0)])
    let journal = try await bench.journal(after: [dead])
    let worker = try bench.worker(journal, to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { receiver.requests.count == 4 })
    #expect(await eventually { !journal.launches().contains(dead) })
    #expect(receiver.store.numbers(of: dead) == [0])
  }

  @Test func `a launch that recorded nothing but losses is still accounted for`() async throws {
    let bench = try DeliveryBench()
    func liveAndDie() throws -> LaunchID {
      let journal = try bench.journal()
      defer { journal.close() }
      journal.setContext(1)
      journal.countLoss(.disabled, 7)
      return journal.launch
    }
    let dead = try liveAndDie()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let worker = try bench.worker(try await bench.journal(after: [dead]), to: receiver.url)
    worker.wake()
    #expect(await eventually(bench.clock) { receiver.store.ledgers[dead] != nil })
    #expect(receiver.store.ledgers[dead] == LaunchLedger(recorded: 7, dropped: ["disabled": 7], final: true))
  }
}
