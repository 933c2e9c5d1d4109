import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSDK

/// What the app says before the SDK is initialized.
@Suite struct EarlyCallsTests {
  private func names(_ harness: SdkHarness) throws -> [String] {
    try harness.recorded().map { recorded in
      switch recorded.event {
      case let event as SdkCustomEvent: event.name
      case let event as SdkNavigationEvent: "at \(event.destination)"
      case let event: "\(event.eventType)"
      }
    }
  }

  @Test func `holds from initialization on, in its order and with its own time`() throws {
    let harness = try SdkHarness(initialized: false)
    let sdk = harness.sdk
    let before = EventClock.now()
    sdk.trackEvent(name: "nobody yet")
    sdk.setUserId("ada")
    sdk.setTag("plan", value: "free")
    sdk.trackEvent(name: "ada's", properties: ["n": 1])
    sdk.addBreadcrumb("one step", category: .custom, metadata: ["a": "b"])
    sdk.notifyNavigationEvent(NavigationEvent(destination: "cart", source: .custom))
    sdk.removeTag("plan")
    sdk.setTag("beta", value: "yes")
    sdk.setUserId("bob")
    sdk.record(SdkHangEvent(durationMs: 1, stackTrace: nil, bundleId: ""))
    let after = EventClock.now()
    usleep(20_000)
    harness.initialize()
    sdk.trackEvent(name: "late")

    let recorded = try harness.recorded()
    #expect(try names(harness) == ["nobody yet", "ada's", "at cart", "hang", "late"])
    #expect(recorded.dropLast().allSatisfy { (before...after).contains($0.event.timestamp) })
    #expect(recorded.map { $0.context["userId"] as? String } == [nil, "ada", "ada", "bob", "bob"])
    let tags = recorded.map { $0.context["tags"] as? [String: String] ?? [:] }
    #expect(tags == [[:], ["plan": "free"], ["plan": "free"], ["beta": "yes"], ["beta": "yes"]])
    let trail = sdk.breadcrumbs()
    #expect(trail.map(\.message) == ["one step", "cart"])
    #expect(trail.allSatisfy { $0.timestamp * 1000 <= Double(after) + 1 })
    #expect(sdk.diagnostics.dropped.isEmpty && sdk.diagnostics.lastError == nil)
    #expect(sdk.currentScreenName == "cart")
    try harness.expectBalancedLedger(recorded: 5)
  }

  @Test(arguments: [true, false])
  func `log entries that a filter asked for are there, if the log is on`(isOn: Bool) throws {
    let sdk = Locked<AutoMobileSDK?>(nil)
    defer { sdk.withLock { $0 = nil } }
    let log = AutoMobileLog { event in sdk.withLock { $0 }?.keepEarly(event, of: .log) }
    let harness = try SdkHarness(initialized: false, subsystems: [.log(log)])
    sdk.withLock { $0 = harness.sdk }
    log.e("net", "before any filter")
    log.addFilter(name: "errors", minLevel: .error)
    log.e("net", "kept")
    log.i("net", "not asked for")
    if !isOn { harness.sdk.setEnabled(false, for: .log) }
    harness.initialize()
    log.e("net", "late")
    let messages = try harness.recorded().compactMap { ($0.event as? SdkLogEvent)?.message }
    #expect(messages == (isOn ? ["kept", "late"] : []))
    #expect(harness.sdk.diagnostics.dropped == (isOn ? [:] : ["disabled": 1]))
    try harness.expectBalancedLedger(recorded: isOn ? 2 : 1)
  }

  @Test func `no entry reaches a filter once the SDK rests`() throws {
    let early = Locked(0)
    let log = AutoMobileLog { _ in early.withLock { $0 += 1 } }
    log.addFilter(name: "all")
    let harness = try SdkHarness(initialized: false, subsystems: [.log(log)])
    harness.sdk.setEnabled(false)
    harness.initialize()
    log.e("net", "nobody hears this")
    #expect(early.withLock { $0 } == 0)
  }

  @Test func `frames of WebSockets are there as requests are`() throws {
    let network = AutoMobileNetwork(isDebugBuild: true)
    network.record(SdkWebSocketFrameEvent(url: "wss://a", direction: .sent, frameType: .text))
    network.recordRequest(url: "https://b", method: "GET", statusCode: 200, durationMs: 1)
    let harness = try SdkHarness(subsystems: [.network(network)])
    defer { network.reset() }
    #expect(try harness.recorded().map(\.event.eventType) == [.webSocketFrame, .networkRequest])
    try harness.expectBalancedLedger(recorded: 2)
  }

  @Test func `goes through the processors that were added before`() throws {
    let harness = try SdkHarness(initialized: false)
    harness.sdk.trackEvent(name: "secret")
    harness.sdk.addBreadcrumb("secret")
    harness.sdk.addEventProcessor { ($0 as? SdkCustomEvent)?.name == "secret" ? nil : $0 }
    harness.sdk.addBreadcrumbProcessor { $0.message == "secret" ? nil : $0 }
    harness.initialize()
    #expect(try harness.recorded().isEmpty && harness.sdk.breadcrumbs().isEmpty)
    #expect(harness.sdk.diagnostics.dropped == ["filtered": 1])
  }

  @Test func `of more than there is room for, the first are kept and the others counted`() throws {
    let harness = try SdkHarness(initialized: false)
    for n in 0..<300 { harness.sdk.trackEvent(name: "\(n)") }
    #expect(harness.sdk.diagnostics.recorded == 300)
    #expect(harness.sdk.diagnostics.dropped == ["notInitialized": 44])
    harness.initialize()
    #expect(try names(harness) == (0..<256).map(String.init))
    #expect(harness.sdk.diagnostics.dropped == ["notInitialized": 44])
    try harness.expectBalancedLedger(recorded: 300)
  }

  @Test func `does not keep more than so many bytes, nor an event that can never be written`() throws {
    struct Impossible: SdkEvent {
      var eventType = SdkEventType.custom
      var timestamp: Int64 = 0
      init() {}
      init(from decoder: any Decoder) throws { throw CancellationError() }
      func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }
    let harness = try SdkHarness(initialized: false)
    let long = String(repeating: "x", count: 20_000)
    for _ in 0..<10 { harness.sdk.trackEvent(name: long) }
    harness.sdk.record(Impossible())
    harness.sdk.addBreadcrumb(long)
    harness.sdk.trackEvent(name: "short")
    harness.initialize()
    #expect(try harness.recorded().count == EarlyCalls.mostBytes / 20_100 + 1)
    #expect(harness.sdk.breadcrumbs().isEmpty)
    try harness.expectBalancedLedger(recorded: 12)
  }

  @Test func `more users and tags than there is room for are lost, and said to be`() throws {
    let harness = try SdkHarness(initialized: false)
    for n in 0..<EarlyCalls.mostOthers { harness.sdk.setTag("\(n)", value: "x") }
    #expect(harness.sdk.diagnostics.lastError == nil)
    harness.sdk.setTag("one too many", value: "x")
    #expect(harness.sdk.diagnostics.lastError?.contains("before initialize") == true)
    harness.initialize()
    #expect(harness.sdk.sdkContext?.snapshot().tags.count == EarlyCalls.mostOthers)
  }

  @Test func `nothing of it is recorded when the SDK is off by then, nor what came while it was off`() throws {
    let off = try SdkHarness(initialized: false)
    off.sdk.trackEvent(name: "before")
    off.sdk.addBreadcrumb("before")
    off.sdk.setEnabled(false)
    off.sdk.trackEvent(name: "while off")
    #expect(off.sdk.diagnostics.dropped == ["disabled": 1])
    off.initialize()
    off.sdk.setEnabled(true)
    #expect(try off.recorded().isEmpty && off.sdk.breadcrumbs().isEmpty)
    #expect(off.sdk.diagnostics.dropped == ["disabled": 2])
    try off.expectBalancedLedger(recorded: 2)

    let on = try SdkHarness(initialized: false)
    on.sdk.setEnabled(false)
    on.sdk.trackEvent(name: "while off")
    on.sdk.addBreadcrumb("while off")
    on.sdk.setEnabled(true)
    on.sdk.trackEvent(name: "while on")
    on.initialize()
    #expect(try names(on) == ["while on"])
    #expect(on.sdk.breadcrumbs().isEmpty && on.sdk.diagnostics.dropped == ["disabled": 1])
    try on.expectBalancedLedger(recorded: 2)
  }

  @Test func `a reset forgets it, and the next initialization hears what comes then`() throws {
    let harness = try SdkHarness(initialized: false)
    harness.sdk.trackEvent(name: "forgotten")
    harness.sdk.setUserId("forgotten")
    harness.sdk.reset()
    harness.sdk.trackEvent(name: "kept")
    harness.initialize()
    #expect(try names(harness) == ["kept"])
    #expect(harness.sdk.sdkContext?.userId == nil)
    harness.sdk.reset()
    harness.sdk.trackEvent(name: "again")
    harness.initialize()
    #expect(try names(harness) == ["again"])
  }

  @Test func `errors and requests from before are recorded, unless the SDK is off by then`() throws {
    let network = AutoMobileNetwork(isDebugBuild: true)
    let failures = AutoMobileFailures()
    func subsystems() -> [SdkEnvironment.Subsystem] {
      [
        .network(network),
        SdkEnvironment.Subsystem(
          name: .failures, start: { failures.start($0) }, rest: { failures.rest($0) },
          setEnabled: { enabled, _ in failures.setEnabled(enabled) }, isEnabled: { failures.isEnabled },
          reset: { failures.reset() }),
      ]
    }
    func say() {
      network.recordRequest(url: "https://early.example", method: "GET")
      for _ in 0..<AutoMobileFailures.mostEarly + 3 {
        failures.recordHandledException(CocoaError(.fileNoSuchFile), message: "early")
      }
    }
    let expected = UInt64(AutoMobileFailures.mostEarly + 4)
    say()
    let on = try SdkHarness(subsystems: subsystems())
    let errors = try on.recorded().compactMap { $0.event as? SdkHandledExceptionEvent }
    #expect(errors.count == AutoMobileFailures.mostEarly && failures.eventCount == errors.count)
    #expect(errors.allSatisfy { $0.customMessage == "early" && $0.appVersion == "1.2.3" })
    #expect(
      errors.first?.bundleId == "com.example.test" && errors.first?.report?.threads.first?.frames.isEmpty == false)
    #expect(on.sdk.diagnostics.dropped == ["notInitialized": 3])
    try on.expectBalancedLedger(recorded: expected)
    on.sdk.reset()

    say()
    let off = try SdkHarness(initialized: false, subsystems: subsystems())
    off.sdk.setEnabled(false)
    off.initialize()
    failures.recordHandledException(CocoaError(.fileNoSuchFile))
    network.recordRequest(url: "https://early.example", method: "GET")
    off.sdk.setEnabled(true)
    try #require(off.sdk.runtime).presence.sync {}
    #expect(try off.recorded().isEmpty)
    failures.recordHandledException(CocoaError(.fileNoSuchFile))
    network.recordRequest(url: "https://late.example", method: "GET")
    #expect(try off.recorded().map(\.event.eventType) == [.handledException, .networkRequest])
  }

  /// A process that says something on another thread at the very moments between the steps of initialization.
  @Test func `nothing that is said while it is initialized overtakes what was said before`() async throws {
    for _ in 0..<100 {
      let harness = try SdkHarness(initialized: false)
      let goes = AtomicWord()
      let done = AtomicWord()
      harness.sdk.trackEvent(name: "0")
      Thread.detachNewThread {
        var n = 1
        while goes.value == 0 || n < 20 {
          harness.sdk.trackEvent(name: "\(n)")
          n += 1
          if n > 200, goes.value == 0 { usleep(50) }
          if n > 250 { break }
        }
        done.store(1)
      }
      harness.initialize()
      goes.store(1)
      #expect(await eventually { done.value == 1 })
      let numbers = try names(harness).compactMap { Int($0) }
      #expect(numbers == Array(0..<numbers.count), "in their order, and none missing in between")
      #expect(harness.sdk.diagnostics.dropped.isEmpty)
    }
  }

  @Test func `what is said in the middle of being told is told after it`() throws {
    let harness = try SdkHarness(initialized: false)
    // A processor runs on the thread that initializes, when nobody can see the recorder yet.
    let sdk = harness.sdk
    sdk.addEventProcessor { [weak sdk] event in
      if (event as? SdkCustomEvent)?.name == "first" {
        sdk?.trackEvent(name: "in the middle")
        sdk?.setUserId("new")
      }
      return event
    }
    sdk.setUserId("old")
    sdk.trackEvent(name: "first")
    sdk.trackEvent(name: "second")
    harness.initialize()
    sdk.trackEvent(name: "last")
    #expect(try names(harness) == ["first", "second", "in the middle", "last"])
    #expect(try harness.recorded().map { $0.context["userId"] as? String } == ["old", "old", "old", "new"])
    try harness.expectBalancedLedger(recorded: 4)
  }
}
