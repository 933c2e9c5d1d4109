import AutoMobileSDK
import Foundation
import Network
import Testing
import UIKit

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A24: the adapters to `UIApplication`, `UIDevice`, `UIScreen` and `NWPathMonitor`. One at a time: there is one of each.
@MainActor @Suite(.serialized) struct OsEventsTests {
  private let recorded = RecordedEvents()
  private let application = UIApplication.shared
  private let device = UIDevice.current

  /// Records what these sources tell.
  private func observing(
    _ sources: @escaping @Sendable () -> [any OsEventSource], _ body: () async throws -> Void
  ) async rethrows {
    let osEvents = AutoMobileOsEvents(makeSources: sources)
    osEvents.initialize(bundleId: "com.example.adapters", buffer: recorded.buffer)
    await turn()
    await turn()
    try await body()
    osEvents.shutdown()
    await turn()
  }

  private var states: [String] { recorded.all(SdkLifecycleEvent.self).map(\.state) }

  private func details(_ key: String) -> [String?] { recorded.all(SdkLifecycleEvent.self).map { $0.details[key] } }

  @Test func `A24 on this platform everything is observed`() {
    let names = OsEventSources.system.map { "\(type(of: $0))" }
    #expect(names == ["ApplicationStageSource", "BatterySource", "BrightnessSource", "ConnectivitySource"])
  }

  @Test func `A24 an app that is opened, interrupted, left and ended tells each step once`() async {
    application.simulateLaunch()
    await observing({ [ApplicationStageSource()] }) {
      #expect(states == [])
      application.simulateActivation()
      application.simulateInterruption()
      application.simulateActivation()
      application.simulateLeaving()
      application.simulateTermination()
      #expect(states == ["foreground", "inactive", "foreground", "inactive", "background", "terminated"])
    }
    application.simulateActivation()
    #expect(states.count == 6, "nobody listens any more")
  }

  @Test func `A24 whoever starts late finds the app where it is`() async {
    application.simulateLaunch()
    application.simulateActivation()
    await observing({ [ApplicationStageSource()] }) { #expect(states == ["foreground"]) }
    application.simulateLeaving()
    await observing({ [ApplicationStageSource()] }) { #expect(states == ["foreground", "background"]) }
  }

  @Test func `A24 the battery is monitored as long as it is observed, in whole percents`() async {
    device.isBatteryMonitoringEnabled = false
    device.simulateBattery(level: 0.804, state: .unplugged)
    await observing({ [BatterySource()] }) {
      #expect(device.isBatteryMonitoringEnabled)
      #expect(details("level") == ["80"] && details("charging") == ["unplugged"])
      // The same percent is no change; the other one waits for the second to end.
      device.simulateBattery(level: 0.801, state: .unplugged)
      device.simulateBattery(level: 0.79, state: .charging)
      await turn()
      #expect(await eventually { details("level") == ["80", "79"] })
      #expect(details("charging") == ["unplugged", "charging"])
    }
    #expect(!device.isBatteryMonitoringEnabled, "it was nobody's before")
  }

  @Test func `A24 an app that monitors the battery goes on doing so`() async {
    device.isBatteryMonitoringEnabled = true
    await observing({ [BatterySource()] }) { #expect(device.isBatteryMonitoringEnabled) }
    #expect(device.isBatteryMonitoringEnabled)
    device.isBatteryMonitoringEnabled = false
  }

  @Test func `A24 a device that knows nothing of a battery tells nothing`() async {
    device.isBatteryMonitoringEnabled = false
    device.simulateBattery(level: -1, state: .unknown)
    await observing({ [BatterySource()] }) { #expect(states == []) }
  }

  @Test func `A24 switched on and off quickly, monitoring ends as it was`() async {
    device.isBatteryMonitoringEnabled = false
    let osEvents = AutoMobileOsEvents(makeSources: { [BatterySource()] })
    osEvents.start(bundleId: nil, buffer: recorded.buffer)
    for number in 0..<9 { osEvents.setEnabled(number.isMultiple(of: 2)) }
    await turn()
    #expect(device.isBatteryMonitoringEnabled)
    osEvents.setEnabled(false)
    await turn()
    #expect(!device.isBatteryMonitoringEnabled)
  }

  @Test func `A24 a slide of the brightness is two events, and the last value counts`() async {
    UIScreen.main.brightness = 0.5
    await observing({ [BrightnessSource()] }) {
      #expect(states == [], "it has not changed")
      for step in 1...40 {
        UIScreen.main.brightness = 0.5 + CGFloat(step) / 100
        await turn()
      }
      #expect(await eventually { states.count == 2 })
      #expect(details("level") == ["51", "90"])
    }
  }

  @Test func `A24 the network is told at once and at each change`() async {
    NWPathMonitor.simulateChange(to: .simulated())
    await observing({ [ConnectivitySource()] }) {
      #expect(await eventually { states.count == 1 })
      for path in [
        NWPath.simulated(.satisfied, [.cellular], isExpensive: true, isConstrained: true),
        .simulated(.unsatisfied, [], because: .cellularDenied), .simulated(.requiresConnection, [.other]),
        .simulated(.satisfied, [.wiredEthernet, .wifi]), .simulated(.satisfied, [.loopback]),
      ] {
        NWPathMonitor.simulateChange(to: path)
      }
      #expect(await eventually { states.count == 6 })
      #expect(Set(states) == ["connectivity"])
      #expect(
        details("status") == [
          "satisfied", "satisfied", "unsatisfied", "requires_connection", "satisfied", "satisfied",
        ])
      #expect(details("transport") == ["wifi", "cellular", "none", "other", "wired", "loopback"])
      #expect(details("isExpensive") == ["false", "true", "false", "false", "false", "false"])
      #expect(details("isConstrained") == ["false", "true", "false", "false", "false", "false"])
      #expect(details("reason") == [nil, nil, "cellular_denied", nil, nil, nil])
    }
    #expect(await eventually { NWPathMonitor.simulatedListeners == 0 })
  }
}
