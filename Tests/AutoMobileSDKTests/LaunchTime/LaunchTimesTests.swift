import AutoMobileSupport
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// B5: the parts of a launch.
@Suite struct LaunchTimesTests {
  private func properties(_ times: LaunchTimes) -> [String: MetadataValue]? {
    #expect(times.event.map { $0.name == "App Launch" } ?? true)
    return times.event?.typedProperties
  }

  @Test func `B5: a cold launch is the way from the process's start to the first frame`() {
    let times = LaunchTimes(kind: .cold, processStart: 1000, main: 1300, initialize: 1340, firstFrame: 1900)
    #expect(
      properties(times) == [
        "kind": "cold", "totalMs": .int(900), "preMainMs": .int(300), "mainToInitializeMs": .int(40),
        "initializeToFirstFrameMs": .int(560),
      ])
  }

  @Test func `B5: of a prewarmed launch only what somebody waited for is told`() {
    let times = LaunchTimes(
      kind: .prewarmed, processStart: 1000, main: 1300, initialize: 9_000_000, firstFrame: 9_000_400)
    #expect(
      properties(times) == ["kind": "prewarmed", "totalMs": .int(400), "initializeToFirstFrameMs": .int(400)])
  }

  @Test func `B5: a launch in the background ends with the initialization`() {
    let times = LaunchTimes(kind: .background, processStart: 1000, main: 1200, initialize: 1250, firstFrame: nil)
    #expect(
      properties(times) == [
        "kind": "background", "totalMs": .int(250), "preMainMs": .int(200), "mainToInitializeMs": .int(50),
      ])
  }

  @Test func `B5: times that contradict each other, or that nobody can have waited, are not told`() {
    #expect(LaunchTimes(kind: .cold, processStart: 2000, main: 1000, initialize: 3000, firstFrame: 4000).event == nil)
    #expect(LaunchTimes(kind: .cold, processStart: 0, main: 100, initialize: 50, firstFrame: 4000).event == nil)
    #expect(LaunchTimes(kind: .cold, processStart: 0, main: 1, initialize: 2, firstFrame: 200_000).event == nil)
    #expect(
      LaunchTimes(kind: .cold, processStart: .min, main: .max, initialize: .max, firstFrame: .max).event == nil)
    #expect(
      properties(LaunchTimes(kind: .cold, processStart: nil, main: 100, initialize: 130, firstFrame: 400))?["totalMs"]
        == .int(300), "the kernel does not say when the process began")
  }

  @Test func `B5: a launch is told once`() {
    let told = Locked<[SdkCustomEvent]>([])
    let timer = LaunchTimer(processStart: { 100 }, main: 200, initialize: 300, isPrewarmed: false) { event in
      told.withLock { $0.append(event) }
    }
    timer.noteFirstFrame(at: 500)
    timer.noteFirstFrame(at: 900)
    timer.noteBackground()
    timer.noteNoScreen()
    #expect(told.withLock { $0.map(\.typedProperties) }.map { $0["totalMs"] } == [.int(400)])
  }

  @Test(
    "the start of a process is read from what the kernel says, whatever the program is called",
    arguments: [
      ("7 (app) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5150 1 2", 51_500 as Int64?),
      ("7 (a) b (c) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5150 1 2", 51_500),
      ("7 (👩‍👩‍👧‍👦\0) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5150", 51_500),
      ("", nil), ("7 (app) S 1", nil), ("7 app S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5150 1 2", nil),
      ("7 (app) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 -5 1 2", nil),
      ("7 (app) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 99999999999999999999 1 2", nil),
    ])
  func processStart(line: String, expected: Int64?) {
    #expect(ProcessBirth.start(statLine: line, ticksPerSecond: 100) == expected)
    #expect(ProcessBirth.start(statLine: line, ticksPerSecond: 0) == nil)
  }
}
