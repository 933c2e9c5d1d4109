import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct FlushSchedulerTests {
  final class Harness: Sendable {
    let timer = FakeTimer()
    let flushes = Locked(0)
    var count: Int { flushes.withLock { $0 } }

    func scheduler(capacity: Int, breather: DispatchTimeInterval = FlushScheduler.breather) -> FlushScheduler {
      FlushScheduler(capacity: capacity, intervalMs: 250, breather: breather, timerFactory: { timer }) { [flushes] in
        flushes.withLock { $0 += 1 }
      }
    }

    /// Whether the queue has come to everything that it had to do; flushes once more.
    func settles(_ scheduler: FlushScheduler) async -> Bool {
      let before = count
      scheduler.flush()
      return await eventually { count > before }
    }
  }

  @Test func `the timer begins with the first event and rests after an interval without any`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 10)
    #expect(!harness.timer.isScheduled)
    scheduler.noteEvent()
    scheduler.noteEvent()
    #expect(await eventually { harness.timer.isScheduled })
    #expect(harness.timer.interval == 250)
    harness.timer.fire()
    #expect(await eventually { harness.count == 1 })
    #expect(harness.timer.isScheduled)
    harness.timer.fire()
    #expect(await eventually { harness.count == 2 })
    #expect(!harness.timer.isScheduled)
    harness.timer.fireLate()
    scheduler.noteEvent()
    #expect(await eventually { harness.timer.isScheduled })
    #expect(harness.timer.scheduledCount == 2)
    #expect(harness.count == 2)
  }

  @Test(arguments: [1, 2, 15, 16, 50, 1000]) func `at capacity nothing waits for the timer`(capacity: Int) async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: capacity)
    for _ in 0..<capacity { scheduler.noteEvent() }
    #expect(await eventually { harness.count >= 1 })
  }

  @Test(arguments: [2, 15, 50, 1000]) func `well below capacity nothing happens before the timer`(capacity: Int) async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: capacity)
    for _ in 0..<(capacity * 3 / 4) { scheduler.noteEvent() }
    #expect(await eventually { harness.timer.isScheduled })
    #expect(harness.count == 0)
  }

  @Test func `while stopped only an explicit flush flushes`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 2)
    scheduler.setRunning(false)
    // Until it has stopped.
    #expect(await harness.settles(scheduler))
    for _ in 0..<5 { scheduler.noteEvent() }
    scheduler.flush()
    #expect(await eventually { harness.count == 2 })
    for _ in 0..<5 { scheduler.noteEvent() }
    scheduler.setRunning(true)
    #expect(await eventually { harness.count == 3 && harness.timer.isScheduled })
    harness.timer.fire()
    #expect(await eventually { harness.count == 4 && !harness.timer.isScheduled })
  }

  @Test func `no event is forgotten when many threads record during flushes`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 3)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<5000 { scheduler.noteEvent() } } }
    }
    // Whatever is left is below capacity, and then the timer runs for it.
    #expect(await eventually { harness.count > 0 })
    let before = harness.count
    scheduler.noteEvent()
    let moved = await eventually { harness.count > before || harness.timer.isScheduled }
    #expect(moved)
  }

  @Test func `while the timer ticks no event wakes the queue`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 1000)
    scheduler.noteEvent()
    #expect(await eventually { harness.timer.isScheduled })
    for count in 1...20 {
      harness.timer.fire()
      #expect(await eventually { harness.count == count })
      scheduler.noteEvent()
    }
    #expect(await harness.settles(scheduler))
    #expect(scheduler.nudges.value == 1)
  }

  @Test func `in a storm the queue is woken twice, and then not before the breather ends`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 3, breather: .seconds(3600))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<5000 { scheduler.noteEvent() } } }
    }
    // By the first event, and by the one that reached the capacity.
    #expect(await eventually { scheduler.nudges.value == 2 })
    #expect(await harness.settles(scheduler))
    #expect(scheduler.nudges.value == 2)
    #expect(harness.count == 2)
  }

  @Test func `what reaches the capacity during a breather is flushed at its end`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 3, breather: .milliseconds(1))
    for round in 1...200 {
      for _ in 0..<3 { scheduler.noteEvent() }
      #expect(await eventually { harness.count >= round })
    }
    #expect(harness.timer.scheduledCount == 1)
  }

  @Test func `an event that comes when the timer has been found idle keeps it going`() async {
    let harness = Harness()
    let scheduler = harness.scheduler(capacity: 1000)
    scheduler.noteEvent()
    #expect(await eventually { harness.timer.isScheduled })
    harness.timer.fire()
    #expect(await eventually { harness.count == 1 })
    harness.timer.whileCancelling { scheduler.noteEvent() }
    harness.timer.fire()
    #expect(await eventually { harness.count == 2 })
    // Its flush may have come too early for another event that found the first one's news.
    #expect(harness.timer.isScheduled)
    harness.timer.fire()
    #expect(await eventually { harness.count == 3 && !harness.timer.isScheduled })
    #expect(scheduler.nudges.value == 1)
  }

  @Test func `an event that comes while the timer is about to rest is flushed all the same`() async {
    let timer = FakeTimer()
    let recorded = Locked(0)
    let flushed = Locked(0)
    let scheduler = FlushScheduler(capacity: 1 << 20, intervalMs: 250, timerFactory: { timer }) {
      let seen = recorded.withLock { $0 }
      flushed.withLock { $0 = seen }
    }
    for round in 1...1000 {
      // While nothing is recorded the timer rests at its next call, which is now.
      timer.fire()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            recorded.withLock { $0 += 1 }
            scheduler.noteEvent()
          }
        }
        group.addTask { timer.fire() }
      }
      let isFlushed = await eventually(within: 60) {
        timer.fire()
        return flushed.withLock { $0 } == 2 * round
      }
      #expect(isFlushed)
      guard isFlushed else { return }
    }
  }
}
