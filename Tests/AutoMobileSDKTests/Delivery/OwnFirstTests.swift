import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What a launch that crashed at once has left is told before the rest.
@Suite struct OwnFirstTests {
  private func isOver(_ worker: DeliveryWorker) -> Locked<Bool> {
    let isOver = Locked(false)
    worker.deliverOwnFirst { isOver.withLock { $0 = true } }
    return isOver
  }

  @Test func `it goes before all that earlier launches left, which follows`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let dead = try (0..<3).map { number in try bench.deadLaunch((0..<50).map { event($0 + 50 * number) }) }
    let journal = try await bench.journal(after: dead)
    journal.setContext(1)
    let worker = try bench.worker(journal, to: receiver.url) { $0.holds = .crashAtLaunch }
    worker.wake()
    worker.queue.sync {}
    #expect(receiver.requests.isEmpty, "the report is being made")
    journal.appendSurely(event(1000))
    let isOver = isOver(worker)
    #expect(await eventually(bench.clock) { isOver.withLock { $0 } && worker.settled == 151 })
    // Of launches that began in the same millisecond nobody knows which was first.
    #expect(receiver.store.order.first == journal.launch && Set(receiver.store.order.dropFirst()) == Set(dead))
    #expect(receiver.store.order.count == 4)
    #expect(receiver.store.duplicates == 0)
    #expect(receiver.store.violations.isEmpty)
  }

  @Test func `whoever waits for it hears at once that the receiver cannot be reached, and it still goes first`()
    async throws
  {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver { number in number == 0 ? .instead(.json(503, "{}")) : .take }
    defer { receiver.stop() }
    let dead = try bench.deadLaunch([event(0)])
    let journal = try await bench.journal(after: [dead])
    journal.setContext(1)
    journal.appendSurely(event(1))
    let worker = try bench.worker(journal, to: receiver.url)
    let isOver = isOver(worker)
    // Without a step of the clock, by which nothing is tried again.
    #expect(await eventually { isOver.withLock { $0 } })
    #expect(receiver.store.events.isEmpty)
    #expect(await eventually(bench.clock) { worker.settled == 2 })
    #expect(receiver.store.order == [journal.launch, dead])
  }

  @Test func `it waits for no round, but for the limit of the hour`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    let policy = DeliveryPolicy(maximumRequestsPerHour: 2)
    let worker = try bench.worker(journal, to: receiver.url) { $0.pace = policy }
    journal.appendSurely(event(1))
    worker.wake()
    #expect(await eventually { worker.settled == 1 })
    journal.appendSurely(event(2))
    worker.wake()
    worker.queue.sync {}
    #expect(worker.status.waitsFor == .interval)
    // Without a step of the clock.
    let isOver = isOver(worker)
    #expect(await eventually { isOver.withLock { $0 } && worker.settled == 2 })
    #expect(receiver.store.numbers(of: journal.launch) == [1, 2])
    journal.appendSurely(event(3))
    let isLimited = self.isOver(worker)
    #expect(await eventually { isLimited.withLock { $0 } }, "whoever waits hears that it cannot be now")
    #expect(receiver.store.numbers(of: journal.launch) == [1, 2])
    #expect(await eventually(bench.clock) { worker.settled == 3 })
  }

  @Test func `a receiver that wants to be left alone, and an app that is off, are asked for nothing`() async throws {
    let bench = try DeliveryBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try bench.journal()
    journal.setContext(1)
    journal.appendSurely(event(1))
    let off = try bench.worker(journal, to: receiver.url) { $0.holds = .app }
    let isOff = isOver(off)
    let quiet = try bench.worker(journal, to: receiver.url)
    quiet.queue.sync { quiet.state.quietUntil = .max }
    let isQuiet = isOver(quiet)
    #expect(await eventually { isOff.withLock { $0 } && isQuiet.withLock { $0 } })
    let waiting = try bench.worker(journal, to: receiver.url) { $0.holds = .collector }
    let isWaiting = isOver(waiting)
    waiting.queue.sync {}
    #expect(!isWaiting.withLock { $0 }, "the collector's word is about to be read")
    waiting.setHeld(true, by: .collector)
    #expect(await eventually { isWaiting.withLock { $0 } })
    #expect(receiver.requests.isEmpty)
  }
}
