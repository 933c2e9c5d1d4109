import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Off means off: nothing is recorded, kept, asked for or sent.
@Suite struct `An SDK that is switched off` {
  /// One that says whether it observes.
  private final class Observer: Sendable {
    let isOn = Locked(false)
    let starts = Locked(0)

    func subsystem(_ name: AutoMobileSubsystems) -> SdkEnvironment.Subsystem {
      SdkEnvironment.Subsystem(
        name: name, start: { _ in self.starts.withLock { $0 += 1 } },
        setEnabled: { enabled, _ in self.isOn.withLock { $0 = enabled } }, isEnabled: { self.isOn.withLock { $0 } })
    }
  }

  private func harness(
    _ collector: TestCollector, _ directory: TemporaryDirectory, store: MemoryStore = MemoryStore(),
    subsystems: [SdkEnvironment.Subsystem] = []
  ) throws -> SdkHarness {
    try SdkHarness(
      directory: directory, initialized: false, realTimers: true, hasControlChannel: true, subsystems: subsystems
    ) {
      $0.endpoint = collector.url
      $0.apiKey = "key"
      $0.flushIntervalMs = 5
      $0.remoteCommands = .all
    } environment: {
      $0.makeStore = { store }
      $0.guardsAgainstCrashLoops = true
      $0.isDebugBuild = true
    }
  }

  /// One in which an earlier launch has left something to deliver.
  private func usedDirectory() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { $0.sdk.trackEvent(name: "left behind") }
    return directory
  }

  /// An app that waits for consent, and goes on as if it had it.
  private func initializeOff(_ harness: SdkHarness) {
    harness.sdk.setEnabled(false)
    harness.initialize()
    harness.sdk.trackEvent(name: "never")
    harness.sdk.setUserId("ada")
  }

  /// Returns when everything that was begun by now has been done.
  private func settle(_ harness: SdkHarness) throws {
    let runtime = try #require(harness.sdk.runtime)
    for _ in 0..<3 {
      runtime.presence.sync {}
      runtime.delivery?.queue.sync {}
      runtime.control?.queue.sync {}
    }
  }

  @Test func `from before initialization on asks nobody, sends nothing and leaves no trace`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try await usedDirectory()
    let store = MemoryStore()
    let observer = Observer()
    let before = directory.names
    do {
      let harness = try harness(collector, directory, store: store, subsystems: [observer.subsystem(.frames)])
      initializeOff(harness)
      harness.sdk.flush()
      harness.sdk.runtime?.delivery?.retryNow()
      harness.sdk.runtime?.control?.cameToForeground()
      try settle(harness)
      // As long as two of its deliveries took before.
      try await Task.sleep(nanoseconds: 1_000_000_000)
      #expect(collector.requests.isEmpty)
      #expect(directory.names == before)
      #expect(store.all.isEmpty)
      #expect(observer.starts.withLock { $0 } == 0 && !observer.isOn.withLock { $0 })
      #expect(harness.sdk.isInitialized && !harness.sdk.isEnabled)
      #expect(harness.sdk.diagnostics.dropped == ["disabled": 1])
      #expect(harness.sdk.isEnabled(.frames), "what the app wants stays as it is")
    }
    #expect(directory.names == before && collector.requests.isEmpty && store.all.isEmpty)
  }

  @Test func `begins when it is switched on, and counts what it was called for before`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try await usedDirectory()
    let store = MemoryStore()
    let observer = Observer()
    let harness = try harness(collector, directory, store: store, subsystems: [observer.subsystem(.frames)])
    initializeOff(harness)
    try settle(harness)
    harness.sdk.setEnabled(true)
    harness.sdk.trackEvent(name: "now")
    #expect(await eventually { collector.delivered == 2 })
    #expect(await eventually { !collector.configRequests.isEmpty })
    #expect(await eventually { observer.isOn.withLock { $0 } && observer.starts.withLock { $0 } == 1 })
    #expect(await eventually { harness.sdk.runtime?.journal.status == .durable })
    #expect(store.all[Identity.userIdKey] == "ada" && store.all[Identity.anonymousIdKey] != nil)
    #expect(harness.sdk.diagnostics.recorded == 2 && harness.sdk.diagnostics.dropped == ["disabled": 1])
  }

  @Test func `in the middle of a launch gives up what it was asking, and goes on where it was`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let store = MemoryStore()
    let observers = [Observer(), Observer()]
    let harness = try harness(
      collector, TemporaryDirectory(), store: store,
      subsystems: [observers[0].subsystem(.frames), observers[1].subsystem(.interaction)])
    harness.initialize()
    harness.sdk.trackEvent(name: "before")
    #expect(await eventually { harness.acknowledged == 1 && !collector.questions.isEmpty })
    harness.sdk.setEnabled(false)
    try settle(harness)
    // What was on its way when it was given up may still come in.
    try await Task.sleep(nanoseconds: 500_000_000)
    let requests = collector.requests.count
    for _ in 0..<10 { harness.sdk.trackEvent(name: "never") }
    harness.sdk.setUserId("ada")
    harness.sdk.flush()
    harness.sdk.setEnabled(true, for: .interaction)
    // As if an answer that was under way named another document: nobody goes and gets it.
    collector.set(9, "")
    harness.sdk.runtime?.control?.hear(of: "9-test", from: collector.url)
    try settle(harness)
    #expect(harness.sdk.runtime?.control?.state.loop == nil)
    try await Task.sleep(nanoseconds: 1_500_000_000)
    #expect(collector.requests.count == requests)
    #expect(observers.allSatisfy { !$0.isOn.withLock { $0 } })
    #expect(store.all[Identity.userIdKey] == nil)
    harness.sdk.setEnabled(true)
    harness.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.delivered == 2 })
    #expect(await eventually { observers.allSatisfy { $0.isOn.withLock { $0 } } })
    #expect(observers.allSatisfy { $0.starts.withLock { $0 } == 1 })
    #expect(await eventually { store.all[Identity.userIdKey] == "ada" })
    #expect(await eventually { collector.questions.count > 1 }, "it takes commands again")
    #expect(harness.sdk.diagnostics.dropped == ["disabled": 10])
  }

  @Test func `by the collector observes nothing either, and observes again when it is revived`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let observer = Observer()
    let harness = try harness(collector, TemporaryDirectory(), subsystems: [observer.subsystem(.frames)])
    harness.initialize()
    #expect(await eventually { observer.isOn.withLock { $0 } })
    collector.set(1, #""recording":{"enabled":false}"#)
    harness.sdk.runtime?.control?.hear(of: "1-test", from: collector.url)
    #expect(await eventually { !observer.isOn.withLock { $0 } })
    collector.set(2, #""recording":{"enabled":true}"#)
    harness.sdk.runtime?.control?.hear(of: "2-test", from: collector.url)
    #expect(await eventually { observer.isOn.withLock { $0 } })
  }

  @Test func `is as the last of many callers said, with all its parts`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let observer = Observer()
    let harness = try harness(collector, TemporaryDirectory(), subsystems: [observer.subsystem(.frames)])
    harness.initialize()
    for round in 0..<200 {
      DispatchQueue.concurrentPerform(iterations: 2) { harness.sdk.setEnabled(($0 + round).isMultiple(of: 2)) }
      let isOn = round.isMultiple(of: 3)
      harness.sdk.setEnabled(isOn)
      try settle(harness)
      #expect(observer.isOn.withLock { $0 } == isOn && harness.sdk.isEnabled == isOn)
    }
  }

  @Test func `has ended as soon as it is told to`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try harness(collector, TemporaryDirectory())
    harness.sdk.setEnabled(false)
    harness.initialize()
    let start = Date()
    await harness.sdk.shutdownAndDeliver()
    #expect(Date().timeIntervalSince(start) < 4, "it has nothing to wait for")
    #expect(collector.requests.isEmpty)
  }
}
