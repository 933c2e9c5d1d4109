import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct GCDTimerTests {
  @Test func `a timer repeats until it is cancelled`() async {
    let fired = Locked(0)
    let timer = GCDTimer()
    timer.schedule(intervalMs: 1) { fired.withLock { $0 += 1 } }
    #expect(await eventually { fired.withLock { $0 } >= 3 })
    timer.cancel()
    timer.cancel()
  }

  @Test func `scheduling again replaces what was scheduled`() async {
    let first = Locked(0)
    let second = Locked(0)
    let timer = GCDTimer()
    timer.schedule(intervalMs: .max) { first.withLock { $0 += 1 } }
    timer.schedule(intervalMs: -5) { second.withLock { $0 += 1 } }
    #expect(await eventually { second.withLock { $0 } > 0 })
    #expect(first.withLock { $0 } == 0)
  }

  @Test func `a timer that nobody holds any more stops and lets go of its block`() async {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let timer = GCDTimer()
      let held = Token()
      token = held
      timer.schedule(intervalMs: 3_600_000) { _ = held }
    }
    let released = { token == nil }
    #expect(await eventually { released() })
  }
}
