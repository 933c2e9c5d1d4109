import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What goes when the user takes consent back.
@Suite struct `A consent that is taken back`: ConsentSuite {
  @Test func `denied in the middle of a launch erases it; what comes after is somebody else's`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let store = MemoryStore()
    let harness = try harness(collector, directory, store: store, consent: .pending)
    harness.sdk.setUserId("ada")
    harness.sdk.setTag("plan", value: "pro")
    let (session, id) = (harness.sdk.currentSessionId(), try #require(harness.sdk.anonymousId))
    for number in 0..<1000 { harness.sdk.trackEvent(name: "\(number)") }
    await say(.denied, harness)
    #expect(files(directory).isEmpty)
    #expect(store.all.isEmpty && harness.sdk.anonymousId == nil && harness.sdk.sdkContext?.userId == nil)
    harness.sdk.trackEvent(name: "never")
    harness.sdk.setUserId("bob")
    #expect(store.all.isEmpty)
    #expect(harness.sdk.diagnostics.dropped == ["erased": 1000, "disabled": 1])
    await say(.granted, harness)
    harness.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.delivered == 1 })
    #expect(harness.sdk.currentSessionId() != session)
    #expect(await eventually { harness.sdk.anonymousId.map { $0 != id } ?? false })
    #expect(await eventually { harness.sdk.runtime?.journal.status == .durable })
    let text = collector.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    #expect(!text.isEmpty && !text.contains(id) && !text.contains("ada"))
    let diagnostics = harness.sdk.diagnostics
    #expect(diagnostics.recorded == 1002)
    #expect(diagnostics.recorded == diagnostics.dropped.values.reduce(0, +) + 1)
  }

  @Test func `denied gives up what is under way, and none of it is sent again`() async throws {
    // Takes the request, and never answers.
    let silent = try HTTPTestServer { _ in .silence }
    defer { silent.stop() }
    let directory = try TemporaryDirectory()
    let harness = try SdkHarness(directory: directory, realTimers: true) {
      $0.endpoint = silent.url
      $0.flushIntervalMs = 5
    }
    harness.sdk.trackEvent(name: "under way")
    #expect(await eventually { silent.requests.count == 1 })
    await say(.denied, harness)
    await say(.granted, harness)
    try await Task.sleep(nanoseconds: 500_000_000)
    #expect(silent.requests.count == 1)
    #expect(harness.sdk.diagnostics.dropped == ["erased": 1])
  }

  @Test func `from the moment of a denial nothing is recorded, however long the rest takes`() async throws {
    let harness = try SdkHarness()
    let runtime = try #require(harness.sdk.runtime)
    let mayGoOn = DispatchSemaphore(value: 0)
    runtime.presence.async { mayGoOn.wait() }
    harness.sdk.trackEvent(name: "before")
    harness.sdk.setConsent(.denied)
    harness.sdk.trackEvent(name: "after")
    #expect(harness.sdk.diagnostics.dropped == ["disabled": 1])
    mayGoOn.signal()
    #expect(await eventually { harness.sdk.diagnostics.dropped == ["disabled": 1, "erased": 1] })
  }

  @Test func `allowed again, nothing is recorded before what was there has been erased`() async throws {
    let harness = try SdkHarness()
    let runtime = try #require(harness.sdk.runtime)
    let mayGoOn = DispatchSemaphore(value: 0)
    runtime.presence.async { mayGoOn.wait() }
    harness.sdk.trackEvent(name: "before")
    harness.sdk.setConsent(.denied)
    harness.sdk.setConsent(.granted)
    harness.sdk.trackEvent(name: "between")
    mayGoOn.signal()
    #expect(await eventually { harness.sdk.isEnabled })
    harness.sdk.trackEvent(name: "after")
    #expect(harness.sdk.diagnostics.dropped == ["disabled": 1, "erased": 1])
  }

  @Test func `what the start does in the background is waited for`() async throws {
    let directory = try TemporaryDirectory()
    let mayGoOn = DispatchSemaphore(value: 0)
    // A subsystem that writes a file of the SDK's when its turn comes.
    let late = SdkEnvironment.Subsystem(start: { host in
      host.startWork.add("late") {
        mayGoOn.wait()
        try? Data("{}".utf8).write(to: host.directory.appendingPathComponent(MetricKitReporter.fileName))
      }
    })
    let harness = try SdkHarness(directory: directory, subsystems: [late]) {
      $0.storage = .directory(directory.file("recordings"))
    }
    let isErased = Locked(false)
    harness.sdk.setConsent(.denied) { isErased.withLock { $0 = true } }
    try await Task.sleep(nanoseconds: 300_000_000)
    #expect(!isErased.withLock { $0 })
    mayGoOn.signal()
    #expect(await eventually { isErased.withLock { $0 } })
    #expect(files(directory).isEmpty)
  }

  @Test func `nothing is erased under the hands of whoever looks at what earlier launches left`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, consent: .pending)
    let runtime = try #require(harness.sdk.runtime)
    await withCheckedContinuation { done in runtime.whenStarted { done.resume() } }
    let kept = directory.file("recordings/\(SetAsideFile.name)")
    try Data("refused".utf8).write(to: kept)
    let mayGoOn = DispatchSemaphore(value: 0)
    let isLooking = Locked(false)
    DispatchQueue.global().async {
      runtime.earlierLaunches.first {
        isLooking.withLock { $0 = true }
        mayGoOn.wait()
      }
    }
    #expect(await eventually { isLooking.withLock { $0 } })
    let isErased = Locked(false)
    harness.sdk.setConsent(.denied) { isErased.withLock { $0 = true } }
    try await Task.sleep(nanoseconds: 300_000_000)
    #expect(FileManager.default.fileExists(atPath: kept.path) && !isErased.withLock { $0 })
    mayGoOn.signal()
    #expect(await eventually { isErased.withLock { $0 } })
    #expect(files(directory).isEmpty)
  }

  @Test func `erasing everything goes on with somebody unknown`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let store = MemoryStore()
    let harness = try harness(collector, directory, store: store, consent: .pending)
    harness.sdk.setUserId("ada")
    harness.sdk.setTag("plan", value: "pro")
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "ada's orders", source: .custom))
    #expect(harness.sdk.currentScreenName == "ada's orders")
    let id = try #require(harness.sdk.anonymousId)
    for number in 0..<10 { harness.sdk.trackEvent(name: "\(number)") }
    try Data("mine".utf8).write(to: directory.file("recordings/notes.txt"))
    await withCheckedContinuation { done in harness.sdk.eraseAll { done.resume() } }
    let new = try #require(harness.sdk.anonymousId)
    let erasedAt = try #require(harness.sdk.runtime).consent.erasedAt
    #expect(new != id)
    #expect(store.all == [Identity.anonymousIdKey: new, Identity.erasedAtKey: String(erasedAt)])
    #expect(harness.sdk.sdkContext?.userId == nil && harness.sdk.sdkContext?.snapshot().tags == [:])
    #expect(harness.sdk.currentScreenName.map { $0.isEmpty } ?? true)
    #expect(files(directory).contains("notes.txt"), "what is not the SDK's stays")
    #expect(harness.sdk.consent == .pending)
    harness.sdk.trackEvent(name: "after")
    harness.sdk.setConsent(.granted)
    #expect(await eventually { collector.delivered == 1 })
    #expect(harness.sdk.diagnostics.dropped == ["erased": 11])
  }

  @Test func `denied and granted in one breath, what was there before is gone all the same`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let store = MemoryStore()
    let harness = try harness(collector, directory, store: store, consent: .pending)
    harness.sdk.setUserId("ada")
    let id = harness.sdk.anonymousId
    for number in 0..<10 { harness.sdk.trackEvent(name: "\(number)") }
    harness.sdk.setConsent(.denied)
    await say(.granted, harness)
    harness.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.delivered == 1 })
    #expect(harness.sdk.sdkContext?.userId == nil && harness.sdk.anonymousId != id)
    #expect(store.all[Identity.userIdKey] == nil && store.all[Identity.anonymousIdKey] == harness.sdk.anonymousId)
    #expect(harness.sdk.diagnostics.dropped["erased"] == 10)
  }

  @Test func `a denial after the end forgets who the user was`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let store = MemoryStore()
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, store: store)
    harness.sdk.setUserId("ada")
    await harness.sdk.shutdownAndDeliver()
    await say(.denied, harness)
    #expect(store.all.isEmpty && files(directory).isEmpty)
  }

  /// A directory in which an earlier launch has left something.
  private func usedDirectory(_ store: MemoryStore) async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let launch: LaunchID
    do {
      let harness = try SdkHarness(directory: directory) {
        $0.storage = .directory(directory.file("recordings"))
      } environment: {
        $0.makeStore = { store }
      }
      harness.sdk.setUserId("ada")
      harness.sdk.trackEvent(name: "earlier")
      launch = try #require(harness.sdk.runtime).journal.launch
    }
    try await SdkHarness.waitUntilGone(launch)
    return directory
  }

  @Test(arguments: [false, true])
  func `an erasure that is asked for before initialization, or during it, is done before anything is sent`(
    isMeanwhile: Bool
  ) async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let store = MemoryStore()
    let directory = try await usedDirectory(store)
    let isErased = Locked(false)
    let later = Locked<AutoMobileSDK?>(nil)
    let harness = try SdkHarness(directory: directory, initialized: false, realTimers: true) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      $0.makeStore = { store }
      // In the middle of it.
      $0.makeLaunchSessionId = { launch in
        later.withLock { $0.take() }?.eraseAll { isErased.withLock { $0 = true } }
        return launch.description
      }
    }
    let sdk = harness.sdk
    if isMeanwhile {
      later.withLock { $0 = sdk }
    } else {
      sdk.eraseAll { isErased.withLock { $0 = true } }
      #expect(!isErased.withLock { $0 })
    }
    harness.initialize()
    #expect(await eventually { isErased.withLock { $0 } })
    sdk.trackEvent(name: "after")
    #expect(await eventually { collector.events.contains { $0["name"] as? String == "after" } })
    #expect(!collector.events.contains { $0["name"] as? String == "earlier" })
    #expect(sdk.sdkContext?.userId == nil && store.all[Identity.userIdKey] == nil)
  }
}
