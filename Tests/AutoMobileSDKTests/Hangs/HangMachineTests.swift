import AllocationCounter
import CAutoMobile
import TestTools
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

@Suite struct HangMachineTests {
  @Test func `a main thread that answers does not hang, and is asked once in every interval`() {
    var world = HangWorld()
    world.run(for: 10_000)
    #expect(world.told.isEmpty)
    #expect((19...21).contains(world.questions))
  }

  @Test func `a silence beyond the threshold is one hang, told at its end with its duration`() {
    var world = HangWorld()
    world.block(from: 3000, for: 2600)
    world.run(for: 4900)
    #expect(world.told.isEmpty)
    world.run(for: 10_000)
    #expect(world.told == [.began(at: 5000), .ended(duration: 2600)])
    #expect(world.samples == 6)
  }

  @Test func `a silence below the threshold is none`() {
    var world = HangWorld()
    for start in stride(from: Int64(1000), to: 60_000, by: 4000) { world.block(from: start, for: 1990) }
    world.run(for: 70_000)
    #expect(world.told.isEmpty)
  }

  @Test func `a freeze of minutes is one hang with few samples, one of them when people give up`() {
    var world = HangWorld()
    world.block(from: 1000, for: 600_000)
    world.run(for: 700_000)
    #expect(world.told == [.began(at: 3000), .ended(duration: 600_000)])
    #expect(world.samples < 100)
    #expect(world.sampleTimes.contains(6000))
  }

  @Test func `a main queue that nobody serves does not hang, until it has answered once`() {
    var world = HangWorld(isServed: false)
    world.block(from: 0, for: 30_000)
    world.block(from: 40_000, for: 3000)
    world.run(for: 60_000)
    #expect(world.told == [.began(at: 42_000), .ended(duration: 3000)])
  }

  @Test func `where the system serves the main queue, a hang at the start counts`() {
    var world = HangWorld(isServed: true)
    world.block(from: 0, for: 3000)
    world.run(for: 10_000)
    #expect(world.told == [.began(at: 2000), .ended(duration: 3000)])
  }

  @Test(arguments: [0, 400, 600, 1900] as [Int64])
  func `a process that is stopped does not hang, whatever it was doing`(busyBefore: Int64) {
    var world = HangWorld()
    world.block(from: 3000 - busyBefore, for: busyBefore)
    world.stop(from: 3000 - busyBefore / 2, for: 20_000)
    world.run(for: 60_000)
    #expect(world.told.isEmpty)
  }

  @Test(arguments: [400, 600, 1900] as [Int64])
  func `a hang is told although the watchdog finds no core for so long each time`(starvation: Int64) throws {
    var world = HangWorld()
    world.starvation = starvation
    world.block(from: 10_000, for: 2500 + starvation)
    world.run(for: 30_000)
    guard case .ended(let duration) = try #require(world.told.last) else { return }
    #expect(world.told.count { if case .ended = $0 { true } else { false } } == 1)
    #expect((2000...2500 + starvation).contains(duration))
  }

  @Test(arguments: [0, 400, 600] as [Int64])
  func `a process that is stopped on such a machine does not hang`(starvation: Int64) {
    var world = HangWorld()
    world.starvation = starvation
    world.stop(from: 10_000, for: 20_000)
    world.run(for: 60_000)
    #expect(world.told.isEmpty)
  }

  @Test func `what a stop takes is not part of a hang's duration`() throws {
    var world = HangWorld()
    world.block(from: 1000, for: 30_000)
    world.stop(from: 4000, for: 20_000)
    world.run(for: 60_000)
    #expect(world.told.first == .began(at: 3000))
    guard case .ended(let duration) = try #require(world.told.last) else { return }
    // What passed between the last look and the stop is not counted either.
    #expect((9500...10_000).contains(duration))
  }

  @Test func `while a debugger is there nothing hangs`() {
    var world = HangWorld()
    world.block(from: 1000, for: 5000)
    world.debug(from: 2000, for: 3000)
    world.run(for: 20_000)
    #expect(world.told.isEmpty)
  }

  @Test func `a debugger that comes during a hang ends it as none`() {
    var world = HangWorld()
    world.block(from: 1000, for: 5000)
    world.debug(from: 4000, for: 300)
    world.run(for: 20_000)
    #expect(world.told == [.began(at: 3000), .withdrawn])
  }

  @Test func `a hang that begins after a debugger has left counts`() {
    var world = HangWorld()
    world.block(from: 1000, for: 5000)
    world.debug(from: 1000, for: 9000)
    world.block(from: 12_000, for: 3000)
    world.run(for: 20_000)
    #expect(world.told == [.began(at: 14_000), .ended(duration: 3000)])
  }

  @Test func `ending the watch ends the hang`() {
    var world = HangWorld()
    world.block(from: 1000, for: 50_000)
    world.run(for: 4000)
    world.endWatch()
    #expect(world.told == [.began(at: 3000), .ended(duration: 3000)])
  }

  @Test func `an answer to an old question is none`() {
    var machine = HangMachine(settings: HangSettings(), now: 0)
    let answer = HangMachine.Answer(question: 1, time: 10)
    #expect(machine.step(0, late: 0, answer: nil, isDebugged: false) == .ask(1))
    #expect(machine.step(500, late: 0, answer: answer, isDebugged: false) == .ask(2))
    #expect(machine.step(1000, late: 0, answer: answer, isDebugged: false) == .none)
    #expect(machine.step(2500, late: 0, answer: answer, isDebugged: false) == .begin)
  }

  @Test(.enabled(if: allocation_counter_available()))
  func `watching allocates nothing, for the main thread may hold the allocator`() {
    let probe = MainQueueProbe()
    var watch = HangWatch(settings: HangSettings(threshold: 100_000), now: Clocks.uptimeMilliseconds())
    func turn() {
      _ = watch.turn(
        settings: HangSettings(threshold: 100_000), clock: Clocks.uptimeMilliseconds, counters: Lateness.Counters.now,
        answer: { probe.answer }, isDebugged: am_is_debugged
      ) { _, _, _ in }
    }
    turn()
    probe.ask(1)
    _ = probe.thread
    let before = allocation_counter_thread_count()
    for number in 2..<100 {
      turn()
      probe.ask(UInt64(number))
      _ = am_is_debugged()
      _ = probe.thread
    }
    #expect(allocation_counter_thread_count() == before)
  }

  @Test func `settings are held within bounds`() {
    for value in [Double.nan, .infinity, -.infinity, -5, 0, 1e300, 0.4] {
      let settings = HangSettings(thresholdMs: value, pollIntervalMs: value)
      #expect((20...3_600_000).contains(settings.threshold))
      #expect((10...60_000).contains(settings.interval))
    }
    #expect(HangSettings(thresholdMs: 2000, pollIntervalMs: 500) == HangSettings())
    #expect(HangSettings().combined(with: .replay) == HangSettings())
  }

  @Test(arguments: 0..<60)
  func `whatever happens, every hang is told once and nothing else is`(seed: Int) {
    var random = SeededRandom(UInt64(seed))
    var world = HangWorld(
      isServed: true,
      settings: HangSettings(
        threshold: .random(in: 100...4000, using: &random), interval: .random(in: 50...1500, using: &random)),
      seesIdle: seed.isMultiple(of: 2))
    var time: Int64 = 1000
    for _ in 0..<12 {
      time += .random(in: 5000...20_000, using: &random)
      let length = Int64.random(in: 1...15_000, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: world.stop(from: time, for: length)
      case 1:
        world.block(from: time, for: length)
        world.stop(
          from: time + .random(in: 0...length, using: &random), for: .random(in: 1000...30_000, using: &random))
      case 2:
        world.block(from: time, for: length)
        world.debug(
          from: time + .random(in: -3000...length, using: &random), for: .random(in: 1...5000, using: &random))
      default: world.block(from: time, for: length)
      }
      time += length + 30_000
    }
    world.run(for: time + 100_000)
    world.expectTruth()
  }
}
