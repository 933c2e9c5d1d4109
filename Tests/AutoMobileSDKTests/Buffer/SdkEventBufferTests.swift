import AutoMobileSupport
import Dispatch
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkEventBufferTests {
  private struct Refused: Error {}

  private func event(_ name: String) -> SdkCustomEvent { SdkCustomEvent(name: name) }
  private func names(_ events: [any SdkEvent]) -> [String] { events.compactMap { ($0 as? SdkCustomEvent)?.name } }

  @Test func `an explicit flush passes on what is there, in order, and an empty one calls nobody`() {
    let batches = Locked<[[String]]>([])
    let buffer = SdkEventBuffer { events in batches.withLock { $0.append(self.names(events)) } }
    buffer.flush()
    buffer.add(event("a"))
    buffer.add(event("b"))
    buffer.flush()
    buffer.flush()
    #expect(batches.withLock { $0 } == [["a", "b"]])
  }

  @Test func `what the app says to the SDK's own buffer is said to the SDK`() throws {
    let switches = Locked<[Bool]>([])
    let subsystem = SdkEnvironment.Subsystem(
      name: .osEvents, setEnabled: { isOn, _ in switches.withLock { $0.append(isOn) } },
      isEnabled: { switches.withLock { $0.last } ?? false })
    let harness = try SdkHarness(subsystems: [subsystem])
    let buffer = try #require(harness.sdk.getEventBuffer())
    let runtime = try #require(harness.sdk.runtime)
    buffer.isBufferEnabled = false
    #expect(!harness.sdk.isEnabled && !buffer.isBufferEnabled)
    runtime.presence.sync {}
    buffer.isBufferEnabled = true
    runtime.presence.sync {}
    #expect(switches.withLock { $0 } == [true, false, true])
    buffer.shutdown()
    runtime.presence.sync {}
    #expect(switches.withLock { $0 } == [true, false, true, false])
    buffer.add(event("late"))
    #expect(harness.sdk.diagnostics.dropped == ["shutdown": 1])
  }

  @Test func `at capacity a flush happens promptly, and nobody who adds waits for it`() async {
    let batches = Locked<[[String]]>([])
    let added = DispatchSemaphore(value: 0)
    let buffer = SdkEventBuffer(maxBufferSize: 3) { events in
      let names = self.names(events)
      guard added.wait(timeout: .now() + 20) == .success else { return }
      batches.withLock { $0.append(names) }
    }
    for name in ["a", "b", "c"] { buffer.add(event(name)) }
    added.signal()
    #expect(await eventually { batches.withLock { $0 } == [["a", "b", "c"]] })
  }

  @Test func `the timer flushes between start and stop`() {
    let batches = Locked<[[String]]>([])
    let timer = FakeTimer()
    let buffer = SdkEventBuffer(flushIntervalMs: 123, timerFactory: { timer }) { events in
      batches.withLock { $0.append(self.names(events)) }
    }
    buffer.add(event("a"))
    #expect(!timer.isScheduled)
    buffer.start()
    buffer.start()
    #expect(timer.interval == 123)
    #expect(timer.scheduledCount == 1)
    timer.fire()
    buffer.add(event("b"))
    timer.fire()
    timer.fire()
    buffer.stop()
    #expect(!timer.isScheduled)
    buffer.add(event("c"))
    #expect(batches.withLock { $0 } == [["a"], ["b"]])
  }

  @Test func `what is dropped is counted with its reason`() {
    let drops = DefaultDropCounter()
    let buffer = SdkEventBuffer(dropCounter: drops) { _ in throw Refused() }
    buffer.isBufferEnabled = false
    buffer.add(event("a"))
    buffer.isBufferEnabled = true
    buffer.add(event("b"))
    buffer.add(event("c"))
    buffer.flush()
    buffer.shutdown()
    buffer.add(event("d"))
    #expect(drops.snapshot() == [.disabled: 1, .flushError: 2, .shutdown: 1])
  }

  @Test func `shutting down flushes what is left and stops the timer for good`() {
    let batches = Locked<[[String]]>([])
    let timer = FakeTimer()
    let buffer = SdkEventBuffer(timerFactory: { timer }) { events in
      batches.withLock { $0.append(self.names(events)) }
    }
    buffer.start()
    buffer.add(event("a"))
    buffer.shutdown()
    buffer.start()
    #expect(!timer.isScheduled)
    #expect(batches.withLock { $0 } == [["a"]])
  }

  @Test func `a closure that takes its time costs the oldest events, not memory`() async {
    let drops = DefaultDropCounter()
    let entered = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let taken = Locked<[String]>([])
    let buffer = SdkEventBuffer(maxBufferSize: 2, dropCounter: drops) { events in
      let isFirst = taken.withLock { taken in
        defer { taken += self.names(events) }
        return taken.isEmpty
      }
      if isFirst {
        entered.signal()
        release.wait()
      }
    }
    buffer.add(event("first"))
    buffer.add(event("second"))
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        entered.wait()
        continuation.resume()
      }
    }
    for i in 0..<20 { buffer.add(event("\(i)")) }
    #expect(drops.snapshot() == [.bufferOverflow: 4])
    release.signal()
    let expected = ["first", "second"] + (4..<20).map { "\($0)" }
    #expect(await eventually { taken.withLock { $0 } == expected })
  }

  @Test func `the closure may use the buffer that calls it`() {
    let slot = Locked<SdkEventBuffer?>(nil)
    let batches = Locked<[[String]]>([])
    let buffer = SdkEventBuffer { events in
      batches.withLock { $0.append(self.names(events)) }
      let buffer = slot.withLock { $0 }
      if self.names(events) == ["a"] { buffer?.add(self.event("from the closure")) }
      buffer?.flush()
    }
    slot.withLock { $0 = buffer }
    buffer.add(event("a"))
    buffer.flush()
    #expect(batches.withLock { $0 } == [["a"], ["from the closure"]])
    slot.withLock { $0 = nil }
  }

  @Test func `of what many threads add nothing is lost and nothing comes twice`() async {
    let drops = DefaultDropCounter()
    let seen = Locked<[String: Int]>([:])
    let buffer = SdkEventBuffer(maxBufferSize: 7, dropCounter: drops) { events in
      seen.withLock { seen in self.names(events).forEach { seen[$0, default: 0] += 1 } }
    }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for i in 0..<500 { buffer.record(SdkCustomEvent(name: "\(thread)-\(i)")) } }
      }
    }
    buffer.shutdown()
    let overflow = drops.snapshot()[.bufferOverflow] ?? 0
    #expect(await eventually { seen.withLock { $0.count } + overflow == 2000 })
    #expect(seen.withLock { $0.values.allSatisfy { $0 == 1 } })
  }
}
