import AutoMobileSupport
import Foundation
import QuartzCore
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// B5: the end of a launch.
@MainActor @Suite(.serialized) struct FirstFrameTests {
  private final class Wait { var body: (@MainActor @Sendable () -> Void)? }

  private let application = UIApplication.shared
  private let events = Locked<[SdkCustomEvent]>([])

  private func timer(prewarmed: Bool = false) -> LaunchTimer {
    let events = events
    let now = Clocks.continuousMilliseconds()
    return LaunchTimer(
      processStart: { now - 300 }, main: now - 200, initialize: now - 100, isPrewarmed: prewarmed
    ) { event in events.withLock { $0.append(event) } }
  }

  private func begin(_ timer: LaunchTimer) async -> Wait {
    let wait = Locked<(@MainActor @Sendable () -> Void)?>(nil)
    FirstFrame.begin(timer) { milliseconds, body in
      #expect(milliseconds == 1000)
      wait.withLock { $0 = body }
    }
    await turn()
    let box = Wait()
    box.body = wait.withLock { $0 }
    return box
  }

  private var kinds: [MetadataValue?] { events.withLock { $0.map { $0.typedProperties["kind"] } } }

  @Test func `B5: the second frame of the display ends a launch, and the display link with it`() async throws {
    application.simulateLaunch()
    let wait = await begin(timer())
    SimulatedDisplay.main.simulateFrame()
    #expect(kinds.isEmpty, "what was there before the app has drawn")
    SimulatedDisplay.main.simulateFrame()
    SimulatedDisplay.main.simulateFrame()
    #expect(kinds == ["cold"])
    let properties = try #require(events.withLock { $0.first?.typedProperties })
    #expect(properties["preMainMs"] == .int(100) && properties["mainToInitializeMs"] == .int(100))
    #expect(properties["initializeToFirstFrameMs"] != nil)
    #expect(SimulatedDisplay.main.linkCount == 0)
    wait.body?()
    #expect(kinds.count == 1)
  }

  @Test func `B5: an app whose scene is connected late was not launched in the background`() async {
    application.simulateLaunch(inBackground: true)
    let wait = await begin(timer(prewarmed: true))
    SimulatedDisplay.main.simulateFrames(3)
    application.simulateActivation()
    SimulatedDisplay.main.simulateFrames(2)
    wait.body?()
    #expect(kinds == ["prewarmed"])
  }

  @Test func `B5: a launch in the background is told as one, and opening the app later is no launch`() async {
    application.simulateLaunch(inBackground: true)
    let wait = await begin(timer())
    wait.body?()
    #expect(kinds == ["background"])
    application.simulateActivation()
    SimulatedDisplay.main.simulateFrames(5)
    #expect(kinds == ["background"])
    #expect(SimulatedDisplay.main.linkCount == 0)
  }

  @Test func `B5: switched off before the first frame, a launch is not told; later it is too late`() async throws {
    application.simulateLaunch()
    application.simulateActivation()
    let launch = LaunchTimeSubsystem()
    let harness = AdapterHarness([.launchTime(launch)])
    harness.sdk.setEnabled(false, for: .launchTime)
    harness.sdk.setEnabled(true, for: .launchTime)
    #expect(!harness.sdk.isEnabled(.launchTime))
    await turn()
    SimulatedDisplay.main.simulateFrames(5)
    #expect(try harness.events(SdkCustomEvent.self).isEmpty)
    await harness.end()
  }

  @Test func `B5: a launch is told through the SDK that it is the launch of`() async throws {
    application.simulateLaunch()
    application.simulateActivation()
    let launch = LaunchTimeSubsystem()
    let harness = AdapterHarness([.launchTime(launch)])
    #expect(harness.sdk.isEnabled(.launchTime))
    await turn()
    SimulatedDisplay.main.simulateFrames(5)
    // A test process is older than what counts as a launch, perhaps: then nothing is told.
    let told = try harness.events(SdkCustomEvent.self)
    #expect(told.count <= 1 && told.allSatisfy { $0.name == "App Launch" })
    await harness.end()
  }
}
