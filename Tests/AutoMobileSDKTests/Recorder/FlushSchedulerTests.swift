import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct FlushSchedulerTests {
  final class Harness: Sendable {
    let timer = FakeTimer()
    let flushes = Locked(0)
    var count: Int { flushes.withLock { $0 } }

    func scheduler(capacity: Int) -> FlushScheduler {
      FlushScheduler(capacity: capacity, intervalMs: 250, timerFactory: { timer }) { [flushes] in
        flushes.withLock { $0 += 1 }
      }
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
    for _ in 0..<5 { scheduler.noteEvent() }
    scheduler.flush()
    #expect(await eventually { harness.count == 1 })
    for _ in 0..<5 { scheduler.noteEvent() }
    scheduler.setRunning(true)
    #expect(await eventually { harness.count == 2 && harness.timer.isScheduled == false })
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
}
