import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkLifecycleTests {
  @Test func `before initialization there is nothing, and every call is harmless`() throws {
    let harness = try SdkHarness(initialized: false)
    let sdk = harness.sdk
    #expect(!sdk.isInitialized)
    #expect(sdk.configuration == nil)
    #expect(sdk.sdkContext == nil)
    #expect(sdk.bundleId == nil)
    #expect(sdk.dropCounter == nil)
    #expect(sdk.getEventBuffer() == nil)
    #expect(sdk.currentSessionId() == nil)
    sdk.trackEvent(name: "early")
    sdk.setUserId("early")
    sdk.addBreadcrumb("early")
    sdk.flush()
    sdk.shutdown()
    _ = sdk.observeBatches { _ in }
    #expect(sdk.breadcrumbs().isEmpty && sdk.previousLaunchBreadcrumbs().isEmpty)
    var expected = AutoMobileDiagnostics()
    expected.recorded = 1
    #expect(sdk.diagnostics == expected)
    #expect(harness.directory.names.isEmpty)
  }

  @Test func `events that come while initialization runs are recorded or counted, each once`() async throws {
    let harness = try SdkHarness(initialized: false)
    for _ in 0..<3 { harness.sdk.trackEvent(name: "early") }
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "early", source: .custom))
    let started = AtomicWord()
    let ended = AtomicWord()
    for _ in 0..<4 {
      Thread.detachNewThread {
        for n in 0..<1000 {
          harness.sdk.record(SdkLifecycleEvent(state: "x"))
          if n == 100 { started.add(1) }
        }
        ended.add(1)
      }
    }
    #expect(await eventually { started.value > 0 })
    harness.initialize()
    #expect(await eventually { ended.value == 4 })
    let diagnostics = harness.sdk.diagnostics
    #expect(diagnostics.recorded == 4004)
    #expect(diagnostics.dropped.keys.allSatisfy { $0 == "notInitialized" })
    try harness.expectBalancedLedger(recorded: 4004)
  }

  @Test func `initializing twice changes nothing`() throws {
    let harness = try SdkHarness()
    let first = harness.sdk.runtime
    harness.sdk.initialize(bundleId: "com.example.other", configuration: AutoMobileConfiguration(bufferSize: 7))
    harness.sdk.initialize()
    #expect(harness.sdk.runtime === first)
    #expect(harness.sdk.bundleId == "com.example.test")
    #expect(harness.sdk.configuration?.bufferSize == 50)
  }

  @Test func `the context has the app's version, and the session has begun`() throws {
    let harness = try SdkHarness()
    #expect(harness.sdk.sdkContext?.appVersion == "1.2.3")
    let session = try #require(harness.sdk.currentSessionId())
    #expect(UUID(uuidString: session) != nil)
    #expect(harness.sdk.sdkContext?.sessionId == session)
  }

  @Test func `every subsystem is given the one buffer`() throws {
    let seen = Locked<[(String?, SdkEventBuffer)]>([])
    let resets = Locked(0)
    let note = SdkEnvironment.Subsystem { host in
      seen.withLock { $0.append((host.bundleId, host.buffer)) }
    } reset: {
      resets.withLock { $0 += 1 }
    }
    let harness = try SdkHarness(subsystems: [note, note])
    let given = seen.withLock { $0 }
    #expect(given.count == 2)
    #expect(given.allSatisfy { $0.0 == "com.example.test" && $0.1 === harness.sdk.getEventBuffer() })
    harness.sdk.reset()
    #expect(resets.withLock { $0 } == 2)
  }

  @Test func `what is recorded is in the journal when the call returns`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: "strings", properties: ["a": "b"])
    harness.sdk.trackEvent(name: "values", properties: ["n": 1, "list": [true, nil]])
    harness.sdk.record(SdkHangEvent(durationMs: 2500, stackTrace: nil, bundleId: "com.example.test"))
    harness.sdk.getEventBuffer()?.add(SdkLifecycleEvent(state: "background"))
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "cart", source: .deepLink))
    let events = try harness.recorded()
    #expect(events.map(\.event.eventType) == [.custom, .custom, .hang, .lifecycle, .navigation])
    #expect(events.map(\.kind) == [.event, .event, .event, .eventAndBreadcrumb, .eventAndBreadcrumb])
    #expect((events[1].event as? SdkCustomEvent)?.typedProperties == ["n": 1, "list": [true, nil]])
  }

  @Test func `an event of the app's own type is recorded as it codes itself`() throws {
    struct Purchase: SdkEvent, Equatable {
      var eventType = SdkEventType.custom
      var timestamp: Int64 = 12
      var total: Double
    }
    let harness = try SdkHarness()
    harness.sdk.record(Purchase(total: 9.5))
    let payload = try #require(harness.recorded().first?.payload)
    #expect(try JSONDecoder().decode(Purchase.self, from: payload) == Purchase(total: 9.5))
  }

  @Test func `the buffer's switch and the SDK's are one`() throws {
    let harness = try SdkHarness()
    harness.sdk.getEventBuffer()?.isBufferEnabled = false
    #expect(!harness.sdk.isEnabled)
    harness.sdk.setEnabled(true)
    #expect(harness.sdk.getEventBuffer()?.isBufferEnabled == true)
  }

  @Test func `while switched off everything counts as disabled, and it can be switched on again`() throws {
    let harness = try SdkHarness()
    harness.sdk.setEnabled(false)
    #expect(!harness.sdk.isEnabled)
    harness.sdk.trackEvent(name: "lost")
    harness.sdk.getEventBuffer()?.add(SdkLifecycleEvent(state: "lost"))
    harness.sdk.addBreadcrumb("lost")
    harness.sdk.setEnabled(true)
    harness.sdk.trackEvent(name: "kept")
    #expect(harness.sdk.dropCounter?.snapshot() == [.disabled: 2])
    #expect(try harness.recorded().count == 1)
    try harness.expectBalancedLedger(recorded: 3)
  }

  @Test func `an app that switches recording off first records nothing from the start`() throws {
    let harness = try SdkHarness(initialized: false)
    harness.sdk.setEnabled(false)
    harness.initialize()
    harness.sdk.trackEvent(name: "without consent")
    #expect(try harness.recorded().isEmpty)
    #expect(harness.sdk.diagnostics.dropped == ["disabled": 1])
  }

  @Test func `after shutdown everything counts as shutdown, and the session is over`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: "kept")
    harness.sdk.shutdown()
    harness.sdk.shutdown()
    harness.sdk.trackEvent(name: "lost")
    harness.sdk.setEnabled(true)
    harness.sdk.trackEvent(name: "lost")
    #expect(harness.sdk.currentSessionId() == nil)
    #expect(harness.sdk.diagnostics.isShutDown)
    #expect(harness.sdk.dropCounter?.snapshot() == [.shutdown: 2])
    try harness.expectBalancedLedger(recorded: 3)
  }

  @Test func `an event that is too large is counted, and the next one recorded`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: String(repeating: "x", count: 1_000_000))
    harness.sdk.trackEvent(name: String(repeating: "x", count: 100_000))
    #expect(harness.sdk.dropCounter?.snapshot() == [.rejected: 1])
    try harness.expectBalancedLedger(recorded: 2)
  }

  @Test func `an event that cannot be encoded is counted`() throws {
    struct Impossible: SdkEvent {
      var eventType = SdkEventType.custom
      var timestamp: Int64 = 0
      init() {}
      init(from decoder: any Decoder) throws { throw CancellationError() }
      func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }
    let harness = try SdkHarness()
    harness.sdk.record(Impossible())
    #expect(harness.sdk.dropCounter?.snapshot() == [.flushError: 1])
    try harness.expectBalancedLedger(recorded: 1)
  }

  @Test func `a processor may change an event or drop it`() throws {
    let harness = try SdkHarness()
    harness.sdk.addEventProcessor { $0.eventType == .hang ? nil : $0 }
    harness.sdk.addEventProcessor { event in
      guard let custom = event as? SdkCustomEvent else { return event }
      return SdkCustomEvent(timestamp: custom.timestamp, name: custom.name.uppercased())
    }
    harness.sdk.record(SdkHangEvent(durationMs: 1, stackTrace: nil, bundleId: ""))
    harness.sdk.trackEvent(name: "a")
    harness.sdk.record(SdkLifecycleEvent(state: "b"))
    let events = try harness.recorded().map(\.event)
    #expect((events[0] as? SdkCustomEvent)?.name == "A")
    #expect((events[1] as? SdkLifecycleEvent)?.state == "b")
    #expect(harness.sdk.dropCounter?.snapshot() == [.filtered: 1])
    try harness.expectBalancedLedger(recorded: 3)
  }

  @Test func `the drop counter can be reset, the ledger cannot`() throws {
    let harness = try SdkHarness()
    let drops = try #require(harness.sdk.dropCounter)
    drops.increment(.flushError, count: 3)
    drops.increment(.disabled)
    #expect(drops.snapshot() == [.flushError: 3, .disabled: 1])
    drops.reset()
    #expect(drops.snapshot().isEmpty)
    drops.increment(.disabled)
    #expect(drops.snapshot() == [.disabled: 1])
    #expect(harness.sdk.diagnostics.dropped == ["flushError": 3, "disabled": 2])
  }

  @Test func `every drop reason has the name that the ledger has for it`() {
    #expect(Set(DropReason.allCases.map(\.rawValue)) == Set(LossReason.allCases.map(\.rawValue)))
  }

  @Test func `after a reset the SDK can be initialized anew`() throws {
    let harness = try SdkHarness()
    let old = try #require(harness.sdk.diagnostics.launchId)
    harness.sdk.addNavigationListener { _ in }
    harness.sdk.setEnabled(false)
    harness.sdk.reset()
    #expect(!harness.sdk.isInitialized && harness.sdk.isEnabled && harness.sdk.listenerCount == 0)
    harness.initialize()
    #expect(harness.sdk.diagnostics.launchId != old)
    harness.sdk.trackEvent(name: "again")
    #expect(try harness.recorded().count == 1)
  }

  @Test func `a runtime that nobody uses any more is released with its files closed`() async throws {
    weak var runtime: SdkRuntime?
    do {
      let harness = try SdkHarness(realTimers: true)
      harness.sdk.trackEvent(name: "a")
      runtime = harness.sdk.runtime
      #expect(runtime != nil)
    }
    let released = { runtime == nil }
    #expect(await eventually { released() })
  }

  @Test func `a directory that cannot be used costs durability, not the app`() throws {
    let directory = try TemporaryDirectory()
    try Data().write(to: directory.file("file"))
    let impossible = directory.file("file").appendingPathComponent("sub")
    let harness = try SdkHarness(directory: directory) { $0.storage = .directory(impossible) }
    harness.sdk.trackEvent(name: "kept in memory")
    #expect(try harness.recorded().count == 1)
    let diagnostics = harness.sdk.diagnostics
    #expect(diagnostics.storage == .memory)
    #expect(diagnostics.lastError?.isEmpty == false)
    try harness.expectBalancedLedger(recorded: 1)
  }

  @Test func `diagnostics can be sent as JSON`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: "a")
    let diagnostics = harness.sdk.diagnostics
    #expect(diagnostics.isInitialized && diagnostics.isEnabled && !diagnostics.isShutDown)
    #expect(diagnostics.recorded == 1 && diagnostics.dropped.isEmpty)
    #expect(diagnostics.storage == .disk && diagnostics.delivery == nil && diagnostics.lastError == nil)
    let data = try JSONEncoder().encode(diagnostics)
    #expect(try JSONDecoder().decode(AutoMobileDiagnostics.self, from: data) == diagnostics)
  }

  @Test func `the version is that of the repository`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let version = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8)
    #expect(AutoMobileSDK.version == version.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
