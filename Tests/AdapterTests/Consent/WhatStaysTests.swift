import Foundation
import Network
import QuartzCore
import Testing
import UIKit

@testable import AutoMobileCrashReporting
@testable import AutoMobileInspection
@testable import AutoMobileInterface
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSystem

extension SharedSdkTests {
  /// The table "While it is off, subsystem by subsystem" in Documentation/Consent.md, with every subsystem there is.
  @MainActor @Suite struct `While the SDK is off` {
    /// What can be seen of a subsystem that is off, from outside of it.
    private static let facts: [(name: String, subsystem: AutoMobileSubsystems, isStill: @MainActor () -> Bool)] = [
      (".crashes", .crashes, { handler(of: SIGSEGV) == before && !AutoMobileCrashes.shared.isEnabled }),
      (
        ".failures", .failures,
        {
          AutoMobileFailures.shared.recordHandledException(CocoaError(.fileNoSuchFile))
          return AutoMobileFailures.shared.eventCount == 0
        }
      ),
      (".log", .log, { !AutoMobileLog.shared.isRecording }),
      (".hangs", .hangs, { !AutoMobileHangs.shared.isMonitoring }),
      (".network", .network, { !AutoMobileNetwork.shared.isEnabled }),
      (".navigation", .navigation, { !SwiftUINavigationAdapter.shared.isActive }),
      (".screens", .screens, { SimulatedMethods.count == 0 }),
      (".interaction", .interaction, { SimulatedMethods.count == 0 }),
      (
        ".viewBodies", .viewBodies,
        { ViewBodyTracker.shared.getSnapshots().isEmpty && !ViewBodyTracker.shared.isEnabled }
      ),
      (
        ".osEvents", .osEvents,
        { !UIDevice.current.isBatteryMonitoringEnabled && NWPathMonitor.simulatedListeners == 0 }
      ),
      (".systemNotifications", .systemNotifications, { !AutoMobileNotificationObserver.shared.isEnabled }),
      (".userDefaults", .userDefaults, { UserDefaultsInspector.shared.getDriver() == nil }),
      (".databases", .databases, { DatabaseInspector.shared.getDriver() == nil }),
      (".frames", .frames, { SimulatedDisplay.main.linkCount == 0 }),
      (".launchTime", .launchTime, { !LaunchTimeSubsystem.shared.isEnabled }),
      // There is no stand-in for it.
      (".metricKit", .metricKit, { true }),
      (".lifecycleEvents", .lifecycleEvents, { true }),
    ]

    /// Whose it was before anybody asked for it.
    private static let before = handler(of: SIGSEGV)

    /// Nil: the default.
    private static func handler(of signal: Int32) -> UnsafeMutableRawPointer? {
      var action = sigaction()
      sigaction(signal, nil, &action)
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UnsafeMutableRawPointer?.self)
    }

    /// The rows of the table.
    private func documented() throws -> [String] {
      let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Documentation/Consent.md").standardizedFileURL
      let text = try String(contentsOf: page, encoding: .utf8)
      let section = try #require(text.components(separatedBy: "\n## While it is off, subsystem by subsystem\n").last)
      return section.split(separator: "\n").compactMap { line in
        guard line.hasPrefix("| `."), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
        return String(line[line.index(line.startIndex, offsetBy: 3)..<end])
      }
    }

    @Test func `the table names every subsystem, and so does this test`() throws {
      #expect(try documented() == Self.facts.map(\.name))
      #expect(Self.facts.reduce(into: []) { $0.formUnion($1.subsystem) } == AutoMobileSubsystems.all)
    }

    @Test(arguments: ["the app", "the user", "the collector"])
    func `nothing observes anything, and everything does again when it is on`(whom: String) async throws {
      _ = Self.before
      UIApplication.shared.simulateLaunch()
      UIApplication.shared.simulateActivation()
      try await withSharedSdk { sdk in
        AutoMobileCrashes.shared.enableSignalHandlers()
        sdk.setEnabled(true, for: .all)
        let runtime = try #require(sdk.runtime)
        func switchSdk(_ on: Bool) {
          switch whom {
          case "the app": sdk.setEnabled(on)
          case "the user": sdk.setConsent(on ? .granted : .denied)
          default:
            runtime.recorder.isAllowed = on
            runtime.followSwitches()
          }
        }
        // A launch is measured once.
        let silent = [".metricKit", ".lifecycleEvents", ".failures", ".launchTime"]
        let observers: () -> [String] = {
          Self.facts.filter { !silent.contains($0.name) && $0.isStill() }.map(\.name)
        }
        #expect(await eventually { observers().isEmpty }, "still off: \(observers())")
        // What a collector said last is heard once, soon after the start.
        runtime.control?.queue.sync {}
        switchSdk(false)
        #expect(
          await eventually { Self.facts.allSatisfy { $0.isStill() } },
          "\(Self.facts.filter { !$0.isStill() }.map(\.name))")
        switchSdk(true)
        #expect(await eventually { observers().isEmpty }, "not on again: \(observers())")
      }
    }
  }
}
