import Foundation
import Testing

@testable import AutoMobileReplay

@MainActor @Suite struct `Timers of capture` {
  /// What was put on the run loop.
  private final class Added {
    var timers: [(timer: Timer, mode: RunLoop.Mode)] = []
    var pictures = 0
    var hierarchies = 0
  }
  private let added = Added()

  private func make() -> MainTimers {
    let timers = MainTimers { [added] in added.timers.append(($0, $1)) }
    run(timers)
    return timers
  }

  private func run(_ timers: MainTimers, every seconds: Double = 0.333) {
    timers.run(
      picturesEvery: seconds, { [added] in added.pictures += 1 }, hierarchyEvery: 2,
      { [added] in added.hierarchies += 1 })
  }

  @Test func `pictures come while somebody scrolls, the hierarchy does not`() {
    let timers = make()
    #expect(added.timers.map(\.mode) == [.common, .default])
    #expect(added.timers.map(\.timer.timeInterval) == [0.333, 2])
    #expect(added.timers.allSatisfy { $0.timer.isValid && $0.timer.tolerance <= $0.timer.timeInterval / 10 })
    for _ in 0..<3 { added.timers[0].timer.fire() }
    added.timers[1].timer.fire()
    #expect(added.pictures == 3 && added.hierarchies == 1)
    timers.end()
  }

  @Test func `what comes later comes once, while somebody scrolls too, and not when all has ended`() {
    let timers = make()
    timers.runOnce(after: 0.034) { [added] in added.pictures += 10 }
    #expect(added.timers.last?.mode == .common)
    added.timers.last?.timer.fire()
    #expect(added.pictures == 10 && added.timers.last?.timer.isValid == false)
    timers.runOnce(after: 0.034) { [added] in added.pictures += 10 }
    timers.runOnce(after: 0.034) { [added] in added.pictures += 10 }
    #expect(added.timers.suffix(2).map(\.timer.isValid) == [false, true])
    timers.end()
    #expect(added.timers.last?.timer.isValid == false)
  }

  @Test func `what has ended is called no more, and what begins anew replaces it`() {
    let timers = make()
    run(timers, every: 1)
    #expect(added.timers.map(\.timer.isValid) == [false, false, true, true])
    added.timers[0].timer.fire()
    #expect(added.pictures == 0)
    timers.end()
    timers.end()
    #expect(added.timers.allSatisfy { !$0.timer.isValid })
    for (timer, _) in added.timers { timer.fire() }
    #expect(added.pictures == 0 && added.hierarchies == 0)
  }
}
