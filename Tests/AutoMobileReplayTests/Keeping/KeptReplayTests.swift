import AutoMobileSDK
import AutoMobileSupport
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// A replay of which only what rules and asks name is sent.
@Suite(.serialized) struct `A replay that is kept` {
  /// Long enough for whatever would be sent.
  private func wait() async throws { try await Task.sleep(nanoseconds: 300_000_000) }

  @Test func `of which nobody wants anything is recorded, and its collector never hears of it`() async throws {
    let bench = try KeptBench()
    let id = try #require(await bench.studio.recorder.start().sessionId)
    bench.record(seconds: 100)
    try await wait()
    #expect(bench.hasSentNothing)
    _ = await bench.studio.recorder.stop()
    try await wait()
    #expect(bench.hasSentNothing)
    #expect(bench.sessions.map(\.id) == [id])
    #expect(bench.sessions.first?.frameFiles().count == 100)
    #expect(bench.sessions.first?.isAnnounced == false)
  }

  @Test func `sends the minutes before and after, whole segments, and the lines of the time, while it goes on`()
    async throws
  {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 60)
    try await wait()
    #expect(bench.hasSentNothing)
    bench.name(25...75)
    #expect(await eventually { bench.arrived == [20, 30, 40, 50] })
    bench.record(seconds: 60)
    #expect(await eventually { bench.arrived == [20, 30, 40, 50, 60, 70] && bench.frameTimes.count >= 60 })
    try await wait()
    #expect(bench.frameTimes == Array(20..<80), "each once")
    #expect(bench.server.ends.isEmpty)
    _ = await bench.studio.recorder.stop()
    #expect(await eventually { bench.server.ends.count == 1 })
    #expect(bench.arrived == [20, 30, 40, 50, 60, 70])
    // What was not wanted is still there.
    #expect(await settled { bench.sessions.first?.frameFiles().count } == 60)
  }

  @Test func `goes on with a segment of which parts were sent, when an earlier one is named in between`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 37)
    bench.name(31...36)
    #expect(await eventually { bench.frameTimes == Array(30..<34) }, "the first part of what still grows")
    bench.name(5...6)
    #expect(await eventually { bench.frameTimes == Array(0..<10) + Array(30..<34) })
    bench.record(seconds: 4)
    #expect(await eventually { bench.frameTimes == Array(0..<10) + Array(30..<40) })
    try await wait()
    // What the collector has is not even offered again.
    #expect(await eventually { bench.server.steps.filter { $0 == .presign }.count == bench.server.uploaded.count })
    _ = await bench.studio.recorder.stop()
  }

  @Test func `of another launch sends nothing for the same time`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 30)
    bench.name(0...30, in: "another launch")
    try await wait()
    _ = await bench.studio.recorder.stop()
    #expect(bench.hasSentNothing)
  }

  @Test func `that is over sends what is asked for later, tells its end once, and sends nothing twice`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 60)
    _ = await bench.studio.recorder.stop()
    #expect(bench.hasSentNothing)
    bench.name(31...32)
    #expect(await eventually { bench.server.ends.count == 1 && bench.arrived == [30] })
    bench.name(5...12)
    #expect(await eventually { bench.arrived == [0, 10, 30] })
    bench.name(5...32)
    #expect(await eventually { bench.arrived == [0, 10, 20, 30] })
    try await wait()
    #expect(bench.frameTimes == Array(0..<40))
    #expect(bench.server.ends.count == 1)
    let kept = await settled { bench.sessions.first?.frameFiles().map { ($0.timestamp - bench.start) / 1000 } }
    #expect(kept == Array(40..<60))
    // Everything: nothing is left to be kept.
    bench.name(0...1000)
    #expect(await eventually { bench.sessions.isEmpty && bench.arrived == [0, 10, 20, 30, 40, 50] })
    #expect(bench.server.ends.count == 1)
    let lines = bench.server.uploaded.filter { $0.kind == "events" }.map { String(decoding: $0.content, as: UTF8.self) }
      .joined()
    #expect(lines.components(separatedBy: "session_start").count == 2)
    #expect(lines.components(separatedBy: "session_end").count == 2)
  }

  @Test func `keeps from when the collector says so, and sends everything when it says that`() async throws {
    let bench = try KeptBench(.everything)
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 30)
    #expect(await eventually { bench.arrived.contains(10) })
    bench.stretches.follow(.named(keepDays: 7))
    // What is under way comes to its end.
    let before = await settled { bench.frameTimes }
    bench.record(seconds: 60)
    try await wait()
    #expect(bench.frameTimes == before)
    #expect((before.last ?? .max) < 30)
    bench.stretches.follow(.everything)
    bench.record(seconds: 10)
    #expect(await eventually { bench.arrived.last == 80 })
    _ = await bench.studio.recorder.stop()
    #expect(await eventually { bench.frameTimes == Array(0..<100) })
    #expect(await eventually { bench.sessions.isEmpty && bench.server.ends.count == 1 })
  }

  @Test func `that is over goes when everything does`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 30)
    _ = await bench.studio.recorder.stop()
    #expect(bench.hasSentNothing)
    bench.stretches.follow(.everything)
    #expect(await eventually { bench.sessions.isEmpty && bench.server.ends.count == 1 })
    #expect(bench.frameTimes == Array(0..<30))
  }

  @Test func `sends and removes nothing before it is known what holds`() async throws {
    let bench = try KeptBench(.unknown)
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 30)
    _ = await bench.studio.recorder.stop()
    try await wait()
    #expect(bench.hasSentNothing && bench.sessions.first?.frameFiles().count == 30)
    bench.stretches.follow(.everything)
    #expect(await eventually { bench.sessions.isEmpty && bench.server.ends.count == 1 })
    #expect(bench.frameTimes == Array(0..<30))
  }

  @Test func `sends what is named while the app is in the background`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 35)
    bench.studio.recorder.controller.send(.enteredBackground)
    bench.studio.clock.advance(20_000)
    // Nothing has been drawn since: what was there then is what the user saw last.
    bench.name(50...52)
    #expect(await eventually { bench.arrived == [30] })
    #expect(bench.server.ends.isEmpty)
    _ = await bench.studio.recorder.stop()
  }

  @Test func `goes by the time that the wall clock had, when it is set back meanwhile`() async throws {
    let back = Locked<Int64>(0)
    let clock = ManualClock()
    let bench = try KeptBench { services in
      let own = services.now
      services.now = {
        var now = own()
        now.wall -= back.withLock { $0 }
        return now
      }
    }
    withExtendedLifetime(clock) {}
    _ = await bench.studio.recorder.start()
    bench.record(seconds: 40)
    // By an hour: events from now on say so.
    back.withLock { $0 = 3_600_000 }
    for second in 40..<80 {
      let time = bench.studio.clock.now.wall - 3_600_000
      bench.studio.capture.deliver(frame(time, isKey: second % 10 == 0))
      bench.studio.clock.advance(1000)
    }
    bench.name((55 - 3600)...(57 - 3600))
    #expect(await eventually { bench.arrived == [50] })
    bench.name(15...17)
    #expect(await eventually { bench.arrived == [10, 50] })
    // By the clock that was set back, and not by the one before.
    bench.name(65...67)
    try await wait()
    #expect(bench.arrived == [10, 50])
    _ = await bench.studio.recorder.stop()
  }

  @Test func `begins a segment with each user, and each session of telemetry`() async throws {
    let bench = try KeptBench()
    _ = await bench.studio.recorder.start()
    let before = bench.studio.capture.state.withLock { $0.keyRequests }
    bench.studio.recorder.identify("ada")
    bench.studio.recorder.identify("ada")
    bench.studio.recorder.identify("eve")
    let recorder = try #require(bench.studio.recorder.controller.current.withLock { $0 }?.recorder)
    recorder.note(telemetrySession: "one more")
    recorder.note(telemetrySession: "one more")
    let after = bench.studio.capture.state.withLock { $0.keyRequests }
    _ = await bench.studio.recorder.stop()
    #expect(after >= before + 3)
  }

  @Test func `and the one after it in the same launch both send their part of a stretch`() async throws {
    let bench = try KeptBench()
    let first = try #require(await bench.studio.recorder.start().sessionId)
    bench.record(seconds: 40)
    _ = await bench.studio.recorder.stop()
    let second = try #require(await bench.studio.recorder.start().sessionId)
    bench.record(seconds: 40)
    bench.name(35...45)
    #expect(await eventually { bench.arrived == [30, 40] })
    _ = await bench.studio.recorder.stop()
    #expect(await eventually { bench.server.ends.count == 2 })
    #expect(Set(bench.server.uploaded.map(\.sessionId)) == [first, second])
  }
}
