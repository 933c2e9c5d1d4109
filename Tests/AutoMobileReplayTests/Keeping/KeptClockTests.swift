import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// The same times come twice where the wall clock is set back.
@Suite(.serialized) struct `A replay that is kept while the clock is set back` {
  /// Long enough for whatever would be sent.
  private func wait() async throws { try await Task.sleep(nanoseconds: 300_000_000) }

  /// One whose clock can be set back by so many milliseconds.
  private func bench(_ back: Locked<Int64>) throws -> KeptBench {
    try KeptBench { services in
      let own = services.now
      services.now = {
        var now = own()
        now.wall -= back.withLock { $0 }
        return now
      }
    }
  }

  private func record(_ seconds: Range<Int>, by back: Int64, in bench: KeptBench) {
    for second in seconds {
      bench.studio.capture.deliver(frame(bench.studio.clock.now.wall - back, isKey: second % 10 == 0))
      bench.studio.clock.advance(1000)
    }
  }

  @Test func `sends nothing from before the clock was set back for what goes on since`() async throws {
    let back = Locked<Int64>(0)
    let bench = try bench(back)
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 40)
    back.withLock { $0 = 3_600_000 }
    record(40..<80, by: 3_600_000, in: bench)
    let from = bench.start + (55 - 3600) * 1000
    bench.stretches.add(.add(name: "rule:s", from: from, to: .max, clock: 1), in: KeptBench.launch)
    bench.stretches.save()
    #expect(await eventually { bench.arrived == [50, 60, 70] })
    // And nothing from after it for what was before: the same times have come again.
    let before = (bench.start - 3_600_000 + 45_000, bench.start + 15_000)
    bench.stretches.add(.add(name: "rule:b", from: before.0, to: before.1, clock: 0), in: KeptBench.launch)
    bench.stretches.save()
    #expect(await eventually { bench.arrived == [0, 10, 50, 60, 70] })
    try await wait()
    #expect(bench.arrived == [0, 10, 50, 60, 70])
    _ = await bench.studio.recorder.stop()
  }

  @Test func `sends less, and not more, where rules have not seen that the clock was set back, or saw it more often`()
    async throws
  {
    let back = Locked<Int64>(0)
    let bench = try bench(back)
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 40)
    back.withLock { $0 = 15_000 }
    record(40..<100, by: 15_000, in: bench)
    func add(_ seconds: ClosedRange<Int64>, clock: Int) {
      let (from, to) = (bench.start + seconds.lowerBound * 1000, bench.start + seconds.upperBound * 1000)
      bench.stretches.add(.add(name: "rule:\(seconds)", from: from, to: to, clock: clock), in: KeptBench.launch)
      bench.stretches.save()
    }
    // The clock showed 25 to 39 twice.
    add(32...34, clock: 0)
    try await wait()
    #expect(bench.hasSentNothing)
    // What it had not shown before: second 70 of the session.
    add(57...58, clock: 0)
    #expect(await eventually { bench.arrived == [70] })
    // What it showed once, before.
    add(5...6, clock: 0)
    #expect(await eventually { bench.arrived == [0, 70] })
    // Once they have come as far, or further, it is clear when that was. Of a clock that it has not seen the replay has nothing.
    add(0...100, clock: 2)
    #expect(await eventually { bench.arrived == [0, 30, 70] })
    try await wait()
    #expect(bench.arrived == [0, 30, 70])
    _ = await bench.studio.recorder.stop()
  }

  @Test func `and is the second one since the clock was set back goes by the launch's number`() async throws {
    let back = Locked<Int64>(0)
    let bench = try bench(back)
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 40)
    back.withLock { $0 = 20_000 }
    record(40..<50, by: 20_000, in: bench)
    _ = await bench.studio.recorder.stop()
    _ = await bench.studio.recorder.start()
    record(50..<80, by: 20_000, in: bench)
    let (from, to) = (bench.start + 32_000, bench.start + 38_000)
    bench.stretches.add(.add(name: "rule:a", from: from, to: to, clock: 0), in: KeptBench.launch)
    bench.stretches.add(.turn(from: 0, to: 1, last: to, at: from), in: KeptBench.launch)
    bench.stretches.save()
    #expect(await eventually { bench.arrived.contains(30) })
    try await wait()
    #expect(bench.frameTimes == Array(30..<40), "seconds 50 to 59 had these times, too")
    _ = await bench.studio.recorder.stop()
  }
}
