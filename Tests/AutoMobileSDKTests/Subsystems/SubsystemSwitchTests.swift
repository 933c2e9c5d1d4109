import AutoMobileHTTP
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSDK

/// What records on its own can be left out, and switched off and on.
struct SubsystemSwitchTests {
  /// One that writes down what it is told.
  private final class Recorded: Sendable {
    let calls = Locked<[String]>([])
    let isOn = Locked(false)

    func subsystem(_ name: AutoMobileSubsystems) -> SdkEnvironment.Subsystem {
      SdkEnvironment.Subsystem(
        name: name,
        start: { _ in self.calls.withLock { $0.append("start") } },
        setEnabled: { enabled, _ in
          self.calls.withLock { $0.append(enabled ? "on" : "off") }
          self.isOn.withLock { $0 = enabled }
        },
        isEnabled: { self.isOn.withLock { $0 } })
    }

    var all: [String] { calls.withLock { $0 } }
  }

  @Test func `the standard ones are on after initialization, the others are not`() throws {
    let frames = Recorded()
    let taps = Recorded()
    let harness = try SdkHarness(subsystems: [frames.subsystem(.frames), taps.subsystem(.interaction)])
    #expect(frames.all == ["start", "on"])
    #expect(taps.all == ["start", "off"])
    #expect(harness.sdk.isEnabled(.frames))
    #expect(!harness.sdk.isEnabled(.interaction) && !harness.sdk.isEnabled([.frames, .interaction]))
    harness.sdk.setEnabled(true, for: [.interaction, .log])
    harness.sdk.setEnabled(false, for: .frames)
    #expect(taps.all.last == "on" && frames.all.last == "off")
    #expect(harness.sdk.isEnabled(.interaction) && !harness.sdk.isEnabled(.frames))
  }

  @Test func `what the app says before initialization stands above the configuration`() throws {
    let frames = Recorded()
    let taps = Recorded()
    let harness = try SdkHarness(
      initialized: false, subsystems: [frames.subsystem(.frames), taps.subsystem(.interaction)])
    harness.sdk.setEnabled(false, for: .frames)
    harness.sdk.setEnabled(true, for: .interaction)
    #expect(harness.sdk.isEnabled(.interaction) && !harness.sdk.isEnabled(.frames))
    harness.initialize()
    #expect(frames.all == ["start", "off"])
    #expect(taps.all == ["start", "on"])
  }

  @Test func `what the app has started by its own means stays on`() throws {
    let taps = Recorded()
    taps.isOn.withLock { $0 = true }
    let harness = try SdkHarness(subsystems: [taps.subsystem(.interaction)])
    #expect(taps.all == ["start", "on"])
    #expect(harness.sdk.isEnabled(.interaction))
  }

  @Test func `a subsystem that the platform lacks is never on`() throws {
    let harness = try SdkHarness()
    #expect(!harness.sdk.isEnabled(.metricKit))
    harness.sdk.setEnabled(true, for: .all)
    #expect(!harness.sdk.isEnabled(.metricKit))
    #expect(harness.sdk.isEnabled([]))
  }

  @Test func `the app's own subsystems hear their switches, and record nothing while they are off`() throws {
    let names: AutoMobileSubsystems = [.log, .failures, .hangs, .network, .navigation]
    var everything = SdkEnvironment()
    everything.add(AutoMobileIntegration.all)
    let subsystems = everything.subsystems.filter {
      !$0.name.isEmpty && names.isSuperset(of: $0.name)
    }
    let harness = try SdkHarness(subsystems: subsystems)
    let sdk = harness.sdk
    AutoMobileLog.shared.addFilter(name: "all")
    func recordOneOfEach() {
      AutoMobileLog.shared.i("tag", "message")
      AutoMobileFailures.shared.recordHandledException(CocoaError(.fileNoSuchFile))
      AutoMobileNetwork.shared.recordRequest(url: "https://example.com", method: "GET")
      AutoMobileNetwork.shared.recordWebSocketFrame(
        url: "wss://example.com", direction: .sent, frameType: .text, payloadSize: 1)
    }
    #expect(sdk.isEnabled(names))
    recordOneOfEach()
    let kinds: [SdkEventType] = [.log, .handledException, .networkRequest, .webSocketFrame]
    #expect(try harness.recorded().map(\.event.eventType) == kinds)

    sdk.setEnabled(false, for: names)
    #expect([.log, .failures, .hangs, .network, .navigation].allSatisfy { !sdk.isEnabled($0) })
    #expect(!AutoMobileHangs.shared.isMonitoring && !SwiftUINavigationAdapter.shared.isActive)
    recordOneOfEach()
    #expect(try harness.recorded().count == kinds.count)

    sdk.setEnabled(true, for: names)
    recordOneOfEach()
    #expect(try harness.recorded().map(\.event.eventType) == kinds + kinds)
  }

  @Test func `requests from before initialization are forgotten when the network is left out`() throws {
    let network = AutoMobileNetwork(isDebugBuild: true)
    network.recordRequest(url: "https://early.example", method: "GET")
    let harness = try SdkHarness(subsystems: [.network(network)]) { $0.subsystems.remove(.network) }
    harness.sdk.setEnabled(true, for: .network)
    #expect(try harness.recorded().isEmpty)
    network.recordRequest(url: "https://late.example", method: "GET")
    #expect(try harness.recorded().count == 1)
  }

  /// Where initialization calls out, and something may be said of a subsystem meanwhile.
  enum Moment: CaseIterable { case environment, store, timer, start, otherStart, switchedOn }

  @Test(arguments: Moment.allCases)
  func `what is said between any two steps of initialization holds`(_ moment: Moment) throws {
    let frames = Recorded()
    let speaker = Locked<AutoMobileSDK?>(nil)
    let say: @Sendable (Moment) -> Void = { now in
      guard now == moment, let sdk = speaker.withLock({ $0.take() }) else { return }
      // On a thread of its own, which has spoken before initialization goes on.
      let spoken = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        sdk.setEnabled(false, for: .frames)
        spoken.signal()
      }
      spoken.wait()
    }
    var watched = frames.subsystem(.frames)
    watched.start = { [start = watched.start] host in
      start(host)
      say(.start)
    }
    watched.setEnabled = { [setEnabled = watched.setEnabled] enabled, host in
      setEnabled(enabled, host)
      if enabled { say(.switchedOn) }
    }
    var other = SdkEnvironment.Subsystem()
    other.start = { _ in say(.otherStart) }
    let harness = try SdkHarness(initialized: false, subsystems: [watched, other]) { _ in
    } environment: { environment in
      environment.processName = {
        say(.environment)
        return "test"
      }
      environment.makeStore = {
        say(.store)
        return MemoryStore()
      }
      environment.makeTimer = {
        say(.timer)
        return FakeTimer()
      }
    }
    speaker.withLock { $0 = harness.sdk }
    harness.sdk.initialize(
      bundleId: moment == .environment ? nil : "com.example.test", configuration: harness.configuration)
    #expect(speaker.withLock { $0 } == nil, "the moment has come")
    #expect(!harness.sdk.isEnabled(.frames) && !frames.isOn.withLock { $0 })
  }

  @Test func `the last word holds, also when it is said while an earlier one is followed`() throws {
    let frames = Recorded()
    let speaker = Locked<AutoMobileSDK?>(nil)
    var watched = frames.subsystem(.frames)
    watched.start = { _ in speaker.withLock { $0 }?.setEnabled(false, for: .frames) }
    watched.setEnabled = { [setEnabled = watched.setEnabled] enabled, host in
      frames.calls.withLock { $0.append("\(enabled)") }
      // The second time, which follows what was said while it started.
      if frames.all.filter({ $0 == "false" }).count == 2, let sdk = speaker.withLock({ $0.take() }) {
        sdk.setEnabled(true, for: .frames)
      }
      setEnabled(enabled, host)
    }
    let harness = try SdkHarness(initialized: false, subsystems: [watched])
    speaker.withLock { $0 = harness.sdk }
    harness.initialize()
    #expect(speaker.withLock { $0 } == nil, "it was said")
    #expect(harness.sdk.isEnabled(.frames) && frames.isOn.withLock { $0 })
  }

  @Test func `what is said while the SDK starts is not lost`() async throws {
    for _ in 0..<300 {
      let frames = Recorded()
      let harness = try SdkHarness(initialized: false, subsystems: [frames.subsystem(.frames)])
      DispatchQueue.concurrentPerform(iterations: 2) { turn in
        if turn == 0 { harness.initialize() } else { harness.sdk.setEnabled(false, for: .frames) }
      }
      #expect(!harness.sdk.isEnabled(.frames) && !frames.isOn.withLock { $0 })
    }
  }
}
