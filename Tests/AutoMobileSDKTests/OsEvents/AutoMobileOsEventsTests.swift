import AutoMobileSDK
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A24: the facade, on an SDK's own journal.
@Suite struct AutoMobileOsEventsTests {
  private let sources = Locked<[FakeSource]>([])

  private func osEvents() -> AutoMobileOsEvents {
    AutoMobileOsEvents(
      makeSources: { [sources] in
        let source = FakeSource()
        sources.withLock { $0.append(source) }
        return [source]
      }, makeTimer: { FakeTimer() }, power: { PowerState() })
  }

  private var all: [FakeSource] { sources.withLock { $0 } }

  private func say(_ signal: OsSignal) { all.forEach { $0.say(signal) } }

  private func lifecycle(_ harness: SdkHarness) throws -> [SdkLifecycleEvent] {
    try harness.recorded().compactMap { $0.event as? SdkLifecycleEvent }
  }

  @Test
  func `A24 lifecycle, battery, brightness and network are lifecycle events with the app's bundle, and breadcrumbs`()
    throws
  {
    let harness = try SdkHarness()
    let osEvents = osEvents()
    let buffer = try #require(harness.sdk.getEventBuffer())
    osEvents.initialize(bundleId: "com.example.app", buffer: buffer)
    for stage in ApplicationStage.allCases { say(.application(stage)) }
    say(.battery(BatteryReading(level: 0.8, charging: .full)))
    say(.brightness(percent: 40))
    say(.connectivity(Connectivity(status: .requiresConnection, transport: .cellular, isExpensive: true)))
    let events = try lifecycle(harness)
    let states = ["foreground", "inactive", "background", "terminated", "battery", "brightness", "connectivity"]
    #expect(events.map(\.state) == states)
    #expect(events.allSatisfy { $0.bundleId == "com.example.app" })
    #expect(events.last?.details["status"] == "requires_connection")
    #expect(events.last?.details["isExpensive"] == "true")
    #expect(harness.sdk.breadcrumbs().map(\.message) == states)
    #expect(harness.sdk.breadcrumbs().allSatisfy { $0.category == .lifecycle })
    osEvents.shutdown()
  }

  @Test func `A24 it observes only while it is on, and tells how things are each time it is switched on`() throws {
    let harness = try SdkHarness()
    let osEvents = osEvents()
    osEvents.start(bundleId: nil, buffer: try #require(harness.sdk.getEventBuffer()))
    #expect(all.isEmpty, "started, but not observing")
    osEvents.setEnabled(true)
    osEvents.setEnabled(true)
    #expect(all.count == 1 && all[0].isRunning)
    say(.application(.foreground))
    osEvents.setEnabled(false)
    osEvents.setEnabled(false)
    #expect(all[0].isStopped)
    say(.application(.background))
    osEvents.setEnabled(true)
    say(.application(.foreground))
    #expect(try lifecycle(harness).map(\.state) == ["foreground", "foreground"])
    osEvents.shutdown()
    #expect(all.count == 2 && all.allSatisfy(\.isStopped))
    osEvents.setEnabled(true)
    #expect(all.count == 2, "there is nowhere to record to")
  }

  @Test func `A24 however many threads switch it, all that was started is stopped in the end`() async throws {
    let harness = try SdkHarness()
    let osEvents = osEvents()
    osEvents.start(bundleId: nil, buffer: try #require(harness.sdk.getEventBuffer()))
    await onThread { [sources] in
      DispatchQueue.concurrentPerform(iterations: 400) { number in
        osEvents.setEnabled(number.isMultiple(of: 2))
        sources.withLock { $0.last }?.say(.brightness(percent: number))
      }
    }
    osEvents.shutdown()
    #expect(all.allSatisfy { $0.isStopped })
  }
}
