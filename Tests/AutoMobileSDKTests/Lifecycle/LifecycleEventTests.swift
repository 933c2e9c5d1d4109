import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

/// Lifecycle events as they stand in the journal, on the path of every event of the app's own.
@Suite struct LifecycleEventTests {
  private let store = MemoryStore()
  private let lifecycle = ScriptedLifecycle()

  private func harness(
    _ build: String = "20", directory: TemporaryDirectory? = nil, initialized: Bool = true,
    configure: (inout AutoMobileConfiguration) -> Void = { _ in }
  ) throws -> SdkHarness {
    try SdkHarness(
      directory: directory, initialized: initialized, configure: configure,
      environment: { [store, lifecycle] in
        $0.appVersion = "2.0"
        $0.appBuild = build
        $0.makeStore = { store }
        $0.makeLifecycle = { lifecycle }
      })
  }

  /// Name and properties, as JSON.
  private func told(_ harness: SdkHarness) throws -> [String] {
    try harness.recorded().map { recorded in
      let object = try #require(try JSONSerialization.jsonObject(with: recorded.payload) as? [String: Any])
      #expect(object["eventType"] as? String == "custom")
      let properties = try object["properties"].map {
        String(decoding: try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys]), as: UTF8.self)
      }
      return [object["name"] as? String, properties].compactMap { $0 }.joined(separator: " ")
    }
  }

  private let version = #""build":"20""#

  @Test func `a first launch installs and opens, and what follows opens and closes`() throws {
    let harness = try harness()
    #expect(try told(harness) == [], "nothing before the system has said where the app is")
    lifecycle.launch(.active)
    lifecycle.send(.becameActive)
    lifecycle.send(.enteredBackground)
    lifecycle.send(.becameActive)
    lifecycle.send(.enteredBackground)
    lifecycle.send(.willTerminate)
    #expect(
      try told(harness) == [
        #"Application Installed {"build":"20","version":"2.0"}"#,
        #"Application Opened {"build":"20","from_background":false,"version":"2.0"}"#,
        "Application Backgrounded",
        #"Application Opened {"build":"20","from_background":true,"version":"2.0"}"#,
        "Application Backgrounded",
      ])
    let event = try #require(
      try harness.recorded().first { ($0.event as? SdkCustomEvent)?.name.hasSuffix("grounded") ?? false })
    #expect(!String(decoding: event.payload, as: UTF8.self).contains("properties"))
  }

  @Test func `an update is told once, with what was there before`() throws {
    do {
      let first = try harness("19")
      lifecycle.launch(.background)
      #expect(try told(first) == [#"Application Installed {"build":"19","version":"2.0"}"#])
    }
    do {
      let second = try harness("20")
      lifecycle.launch(.inactive)
      #expect(
        try told(second) == [
          #"Application Updated {"build":"20","previous_build":"19","previous_version":"2.0","version":"2.0"}"#
        ])
    }
    let third = try harness("20")
    lifecycle.launch(.inactive)
    #expect(try told(third) == [])
    lifecycle.send(.becameActive)
    #expect(try told(third) == [#"Application Opened {"build":"20","from_background":false,"version":"2.0"}"#])
  }

  @Test func `somebody who comes from a version without lifecycle events has updated`() throws {
    store.set(Identity.anonymousIdKey, "A")
    let harness = try harness()
    harness.sdk.setUserId("ada")
    lifecycle.launch(.inactive)
    #expect(
      try told(harness) == [
        #"Application Updated {"build":"20","previous_build":"unknown","previous_version":"unknown","version":"2.0"}"#
      ])
  }

  @Test func `a user who is set before the launch is decided does not make an installation an update`() throws {
    let harness = try harness()
    harness.sdk.setUserId("ada")
    lifecycle.launch(.inactive)
    #expect(try told(harness) == [#"Application Installed {"build":"20","version":"2.0"}"#])
    #expect(store.all[Identity.userIdKey] == "ada")
  }

  @Test func `resetting the identity does not make the app look new`() throws {
    do {
      let harness = try harness()
      lifecycle.launch(.inactive)
      harness.sdk.resetIdentity()
    }
    let harness = try harness()
    lifecycle.launch(.inactive)
    #expect(try told(harness) == [])
    #expect(store.all[LifecycleStorage.versionKey] == "2.0")
    #expect(store.all[LifecycleStorage.buildKey] == "20")
  }

  @Test func `going to the background flushes what is there, this event with it`() throws {
    let batches = Locked<[[String]]>([])
    let harness = try harness { $0.bufferSize = 1000 }
    let observation = harness.sdk.observeBatches { events in
      batches.withLock { $0.append(events.compactMap { ($0 as? SdkCustomEvent)?.name }) }
    }
    lifecycle.launch(.active)
    harness.sdk.trackEvent(name: "bought")
    lifecycle.send(.enteredBackground)
    withExtendedLifetime(observation) {}
    let deadline = Date(timeIntervalSinceNow: 60)
    while batches.withLock({ $0.isEmpty }), Date() < deadline { usleep(1000) }
    #expect(
      batches.withLock { $0.flatMap { $0 } }
        == ["Application Installed", "Application Opened", "bought", "Application Backgrounded"])
    #expect(batches.withLock { $0.last?.last } == "Application Backgrounded")
  }

  @Test func `the last address that opened the app goes with the next opening, once, without its secrets`() throws {
    let harness = try harness(initialized: false)
    let sdk = harness.sdk
    sdk.openURL(try #require(URL(string: "shop://early")), sourceApplication: nil)
    harness.initialize()
    lifecycle.launch(.background)
    sdk.openURL(try #require(URL(string: "shop://menu?item=7&token=s3cret")), sourceApplication: "com.example.mail")
    lifecycle.send(.becameActive)
    lifecycle.send(.enteredBackground)
    lifecycle.send(.becameActive)
    let openings = try told(harness).filter { $0.hasPrefix("Application Opened") }
    #expect(openings.count == 2)
    #expect(openings[0].contains(#""referring_application":"com.example.mail""#))
    #expect(openings[0].contains("item=7") && openings[0].contains("menu"))
    #expect(!openings[0].contains("s3cret") && !openings[0].contains("early"))
    #expect(!openings[1].contains("url"))
  }

  @Test func `names that the app has added are secrets in addresses, too`() throws {
    AutoMobileNetwork.shared.setRedactedFields(AutoMobileNetwork.defaultRedactedFields + ["table"])
    defer { AutoMobileNetwork.shared.setRedactedFields(AutoMobileNetwork.defaultRedactedFields) }
    let harness = try harness()
    harness.sdk.openURL(try #require(URL(string: "shop://menu?table=seventeen&item=7")), sourceApplication: nil)
    lifecycle.launch(.active)
    let opening = try #require(try told(harness).last)
    #expect(opening.contains("item=7") && !opening.contains("seventeen"))
  }

  @Test func `an address from before initialization is not lost`() throws {
    let harness = try harness(initialized: false) { $0.redactsDeepLinks = false }
    harness.sdk.handleDeepLink(url: try #require(URL(string: "shop://menu?token=mine")), sourceApplication: nil)
    harness.initialize()
    lifecycle.launch(.active)
    let opening = try #require(try told(harness).last)
    #expect(opening.contains("token=mine"))
    #expect(!opening.contains("referring_application"))
  }

  @Test func `switched off there are no events, and an address is refused with a reason`() throws {
    let harness = try harness { $0.trackLifecycleEvents = false }
    lifecycle.launch(.active)
    lifecycle.send(.enteredBackground)
    harness.sdk.openURL(try #require(URL(string: "shop://menu")), sourceApplication: nil)
    lifecycle.send(.becameActive)
    #expect(try told(harness) == [])
    #expect(store.all[LifecycleStorage.versionKey] == nil)
    #expect(harness.sdk.diagnostics.lastError?.hasPrefix("openURL") == true)
  }

  @Test func `an address that comes while initialization runs is overtaken by none, and overtakes none`() throws {
    let moments = ["timer", "processor", "start"]
    for moment in moments {
      let speaker = Locked<AutoMobileSDK?>(nil)
      let store = store
      let say: @Sendable (String) -> Void = { now in
        guard now == moment, let sdk = speaker.withLock({ $0.take() }) else { return }
        let spoken = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          sdk.openURL(URL(filePath: "/later"), sourceApplication: nil)
          spoken.signal()
        }
        spoken.wait()
      }
      let lifecycle = ScriptedLifecycle()
      let harness = try SdkHarness(
        initialized: false, subsystems: [SdkEnvironment.Subsystem(start: { _ in say("start") })],
        environment: {
          $0.makeStore = { store }
          $0.makeLifecycle = { lifecycle }
          $0.makeTimer = {
            say("timer")
            return FakeTimer()
          }
        })
      speaker.withLock { $0 = harness.sdk }
      harness.sdk.openURL(URL(filePath: "/earlier"), sourceApplication: nil)
      harness.sdk.addEventProcessor { event in
        say("processor")
        return event
      }
      harness.sdk.trackEvent(name: "early")
      harness.initialize()
      #expect(speaker.withLock { $0 } == nil, "the moment has come: \(moment)")
      lifecycle.launch(.active)
      let opening = try #require(try told(harness).last)
      #expect(opening.contains("later") && !opening.contains("earlier"), "\(moment)")
    }
  }

  @Test func `an address from before initialization is there when the system tells at once that the app is open`()
    throws
  {
    final class Hasty: ApplicationLifecycle {
      func start(
        onLaunch: @escaping @Sendable (ApplicationState) -> Void,
        onSignal: @escaping @Sendable (ApplicationSignal) -> Void
      ) { onLaunch(.active) }
      func stop() {}
    }
    let store = store
    let harness = try SdkHarness(initialized: false) { _ in
    } environment: {
      $0.makeStore = { store }
      $0.makeLifecycle = { Hasty() }
    }
    harness.sdk.openURL(try #require(URL(string: "shop://early")), sourceApplication: nil)
    harness.initialize()
    #expect(try told(harness).last?.contains("early") == true)
  }

  // MARK: Recording that was off at the first launch

  private func allow(_ allowed: Bool, _ harness: SdkHarness) throws {
    let runtime = try #require(harness.sdk.runtime)
    runtime.recorder.isAllowed = allowed
    runtime.followSwitches()
    runtime.presence.sync {}
  }

  private let installed = #"Application Installed {"build":"20","version":"2.0"}"#

  @Test func `an installation is told once, in the launch in which lifecycle events are first on`() throws {
    for _ in 0..<2 {
      let off = try harness { $0.trackLifecycleEvents = false }
      lifecycle.launch(.active)
      lifecycle.send(.enteredBackground)
      #expect(try told(off) == [])
    }
    do {
      let on = try harness()
      lifecycle.launch(.inactive)
      #expect(try told(on) == [installed], "and no update, although there has long been an identity")
    }
    #expect(store.all[LifecycleStorage.untoldKey] == nil)
    let next = try harness()
    lifecycle.launch(.inactive)
    #expect(try told(next) == [])
  }

  @Test func `switched on later in a launch, what the app is is told at once, and what has happened is not`() throws {
    let harness = try harness { $0.trackLifecycleEvents = false }
    lifecycle.launch(.active)
    harness.sdk.setEnabled(true, for: .lifecycleEvents)
    #expect(try told(harness) == [installed])
    harness.sdk.setEnabled(false, for: .lifecycleEvents)
    harness.sdk.setEnabled(true, for: .lifecycleEvents)
    lifecycle.send(.enteredBackground)
    lifecycle.send(.becameActive)
    #expect(
      try told(harness) == [
        installed, "Application Backgrounded",
        #"Application Opened {"build":"20","from_background":true,"version":"2.0"}"#,
      ])
  }

  @Test func `an installation is told when the collector lets recording go on, or in the launch after`() throws {
    do {
      let first = try harness()
      try allow(false, first)
      lifecycle.launch(.active)
      #expect(try told(first) == [])
    }
    let second = try harness()
    try allow(false, second)
    lifecycle.launch(.inactive)
    try allow(true, second)
    #expect(try told(second) == [installed])
    try allow(false, second)
    try allow(true, second)
    #expect(try told(second) == [installed], "once")
  }

  @Test func `an update during which nothing was recorded is told later, from the version that was told last`() throws {
    for (build, isOn) in [("18", true), ("19", false), ("20", false)] {
      let harness = try harness(build) { $0.trackLifecycleEvents = isOn }
      lifecycle.launch(.inactive)
      #expect(try told(harness).count == (isOn ? 1 : 0))
    }
    let harness = try harness()
    lifecycle.launch(.inactive)
    #expect(
      try told(harness) == [
        #"Application Updated {"build":"20","previous_build":"18","previous_version":"2.0","version":"2.0"}"#
      ])
  }

  @Test func `an SDK that was off keeps nothing of it, and tells when it is switched on`() throws {
    let harness = try harness(initialized: false)
    harness.sdk.setEnabled(false)
    harness.initialize()
    lifecycle.launch(.active)
    #expect(store.all.isEmpty)
    harness.sdk.setEnabled(true)
    try #require(harness.sdk.runtime).presence.sync {}
    lifecycle.launch(.inactive)
    #expect(try told(harness) == [installed])
  }

  @Test func `after a shutdown nothing is told`() throws {
    let harness = try harness()
    lifecycle.launch(.active)
    let count = try told(harness).count
    harness.sdk.shutdown()
    lifecycle.send(.enteredBackground)
    #expect(try told(harness).count == count)
  }
}
