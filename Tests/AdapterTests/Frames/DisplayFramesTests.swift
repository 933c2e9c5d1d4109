import Foundation
import QuartzCore
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// B5: the display's frames, by display link.
@MainActor @Suite(.serialized) struct DisplayFramesTests {
  private let display = SimulatedDisplay.main
  private let application = UIApplication.shared

  private func watched(_ body: (AdapterHarness) async throws -> Void) async throws {
    application.simulateLaunch()
    application.simulateActivation()
    let frames = FramesSubsystem()
    let harness = AdapterHarness([.frames(frames)])
    await turn()
    #expect(display.linkCount == 1)
    do { try await body(harness) } catch { Issue.record(error) }
    await harness.end()
    #expect(display.linkCount == 0, "the display link is gone")
    display.rate = 60
    display.mode = .default
  }

  private func told(_ harness: AdapterHarness) throws -> [[String: MetadataValue]] {
    try harness.events(SdkCustomEvent.self).filter { $0.name == "Frames" }.map(\.typedProperties)
  }

  @Test func `B5: a frozen frame is told with its screen, also while somebody scrolls`() async throws {
    try await watched { harness async throws in
      harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "menu", source: .custom))
      display.mode = .tracking
      display.simulateFrames(30)
      display.simulateFrame(after: 0.9)
      display.simulateFrames(10)
      let second = try #require(try told(harness).last)
      #expect(second["scope"] == "second" && second["screen"] == "menu")
      #expect(second["frozen"] == .int(1) && second["worstMs"] == .int(900))
    }
  }

  @Test func `B5: in the background nothing is watched, and coming back is no frozen frame`() async throws {
    try await watched { harness async throws in
      display.simulateFrames(60)
      application.simulateLeaving()
      #expect(display.linkCount == 0)
      #expect(try told(harness).map { $0["scope"] } == ["screen"])
      display.simulateFrame(after: 3600)
      application.simulateActivation()
      #expect(display.linkCount == 1)
      display.simulateFrames(60)
      application.simulateLeaving()
      #expect(try told(harness).count == 2)
      #expect(try told(harness).allSatisfy { $0["slow"] == .int(0) && $0["frames"] == .int(59) })
      application.simulateActivation()
    }
  }

  @Test func `B5: ProMotion's changing rate makes no slow frames`() async throws {
    try await watched { harness async throws in
      for rate in [120.0, 80, 60, 30, 120] {
        display.rate = rate
        display.simulateFrames(Int(rate))
      }
      #expect(try told(harness).isEmpty)
    }
  }
}
