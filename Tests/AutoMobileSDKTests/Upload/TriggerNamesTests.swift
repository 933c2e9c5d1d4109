import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// What the SDK's own modules record, and the triggers that are about it.
@MainActor @Suite struct TriggerNamesTests {
  private func applies(_ trigger: UploadTrigger, to event: any SdkEvent) throws -> Bool {
    let json = try withEncodedEvent(event, contextId: 1) { Array($0) }
    var count = 0
    json.withUnsafeBytes {
      let bytes = EventBytes($0)
      CompiledRules([UploadRule("r", when: trigger)]).match(bytes, type: EventHead(bytes).type) { _ in count += 1 }
    }
    return count == 1
  }

  @Test func `triggers apply to what is recorded of launches, frames and ends`() throws {
    let times = LaunchTimes(kind: .cold, processStart: 1000, main: 1300, initialize: 1340, firstFrame: 1900)
    let launch = try #require(times.event)
    #expect(try applies(.slowLaunch(atLeastMs: 900), to: launch))
    #expect(try !applies(.slowLaunch(atLeastMs: 901), to: launch))

    var frames: [SdkCustomEvent] = []
    let monitor = FrameMonitor(currentScreen: CurrentScreen()) { frames.append($0) }
    for time in [1.0, 2] { monitor.frame(at: time, nominal: 1 / 60) }
    monitor.pause()
    #expect(!frames.isEmpty)
    for event in frames {
      #expect(try applies(.frozenFrames(atLeast: 1), to: event))
      #expect(try !applies(.frozenFrames(atLeast: 2), to: event))
    }

    for verdict in PreviousLaunchEnd.Verdict.allCases {
      let end = PreviousLaunchEnd(
        verdict: verdict, evidence: "none", launchId: LaunchID().description, lastSeen: nil)
      let event = LaunchEndTeller.event(LaunchEndReader.Found(end: end, state: nil))
      let isExpected = [.cleanExit, .userKill, .updated, .rebooted, .debugger].contains(verdict)
      #expect(try applies(.unexpectedEnd, to: event) != isExpected, "\(verdict)")
    }
  }

  @Test func `a session is told with what is recorded of its launch and frames`() throws {
    var tally = SessionTally(session: "s", contextId: 1, at: 1)
    func add(_ event: any SdkEvent) throws {
      let json = try withEncodedEvent(event, contextId: 1) { Array($0) }
      json.withUnsafeBytes { tally.add(EventBytes($0), EventHead(EventBytes($0))) }
    }
    let times = LaunchTimes(kind: .cold, processStart: 1000, main: 1300, initialize: 1340, firstFrame: 1900)
    try add(try #require(times.event))
    var frames: [SdkCustomEvent] = []
    let monitor = FrameMonitor(currentScreen: CurrentScreen()) { frames.append($0) }
    for time in [1.0, 2] { monitor.frame(at: time, nominal: 1 / 60) }
    monitor.pause()
    for event in frames { try add(event) }
    #expect(tally.launchMs == 900 && tally.launchKind == "cold" && tally.frozenFrames == 1)
  }
}
