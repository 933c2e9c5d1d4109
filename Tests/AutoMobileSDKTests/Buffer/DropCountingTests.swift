import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct DropCountingTests {
  @Test func `drops are counted by reason until the counter is reset`() {
    let counter = DefaultDropCounter()
    counter.increment(.disabled)
    counter.increment(.disabled, count: 3)
    counter.increment(.flushError, count: 0)
    counter.increment(.flushError, count: -4)
    #expect(counter.snapshot() == [.disabled: 4])
    counter.increment(.disabled, count: .max)
    #expect(counter.snapshot() == [.disabled: .max])
    counter.reset()
    #expect(counter.snapshot().isEmpty)
  }

  @Test func `a counter of the app's own need not know of counts`() {
    final class Own: DropCounting {
      let counts = Locked<[DropReason: Int]>([:])
      func increment(_ reason: DropReason) { counts.withLock { $0[reason, default: 0] += 1 } }
      func snapshot() -> [DropReason: Int] { counts.withLock { $0 } }
      func reset() { counts.withLock { $0 = [:] } }
    }
    let own = Own()
    own.increment(.evicted, count: 3)
    #expect(own.snapshot() == [.evicted: 3])
  }

  @Test func `counts from many threads all arrive`() async {
    let counter = DefaultDropCounter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<1000 { counter.increment(.disabled) } } }
    }
    #expect(counter.snapshot() == [.disabled: 4000])
  }

}
