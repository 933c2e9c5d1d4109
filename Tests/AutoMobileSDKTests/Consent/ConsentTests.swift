import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What the user has allowed: seen from inside of one process.
@Suite struct `The user's consent` {
  private func harness(
    _ collector: TestCollector, _ directory: TemporaryDirectory, store: MemoryStore = MemoryStore(),
    consent: Consent = .granted, initialized: Bool = true, subsystems: [SdkEnvironment.Subsystem] = []
  ) throws -> SdkHarness {
    try SdkHarness(
      directory: directory, initialized: initialized, realTimers: true, hasControlChannel: true,
      subsystems: subsystems
    ) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
      $0.consent = consent
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      $0.makeStore = { store }
      $0.isDebugBuild = true
    }
  }

  private func say(_ consent: Consent, _ harness: SdkHarness) async {
    await withCheckedContinuation { done in harness.sdk.setConsent(consent) { done.resume() } }
  }

  private func files(_ directory: TemporaryDirectory) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)) ?? []
  }

  @Test func `pending records into the journal and asks nobody anything; granted, all of it goes out`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, consent: .pending)
    #expect(harness.sdk.consent == .pending && harness.sdk.diagnostics.consent == .pending)
    for number in 0..<100 { harness.sdk.trackEvent(name: "\(number)") }
    harness.sdk.flush()
    harness.sdk.runtime?.delivery?.retryNow()
    harness.sdk.runtime?.control?.cameToForeground()
    try await Task.sleep(nanoseconds: 1_000_000_000)
    #expect(collector.requests.isEmpty && collector.connectionCount == 0)
    #expect(harness.sdk.diagnostics.recorded == 100 && harness.sdk.diagnostics.dropped.isEmpty)
    harness.sdk.setConsent(.granted)
    #expect(await eventually { collector.delivered == 100 })
    #expect(await eventually { !collector.configRequests.isEmpty })
  }

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

  @Test func `said before initialization holds from the first moment`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, initialized: false)
    harness.sdk.setConsent(.denied)
    #expect(harness.sdk.consent == .denied)
    harness.initialize()
    harness.sdk.trackEvent(name: "never")
    harness.sdk.runtime?.presence.sync {}
    #expect(await eventually { directory.names.contains("recordings.consent") })
    #expect(files(directory).isEmpty && harness.sdk.diagnostics.dropped == ["disabled": 1])
    #expect(collector.connectionCount == 0)
  }

  @Test func `what is said while the SDK is initialized elsewhere calls back when it has been carried out`()
    async throws
  {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(
      in: directory, configure: { [directory] in $0.storage = .directory(directory.file("recordings")) }
    ) { $0.sdk.trackEvent(name: "before") }
    #expect(!files(directory).isEmpty)
    let sdk = Locked<AutoMobileSDK?>(nil)
    let filesThen = Locked<[String]?>(nil)
    let harness = try SdkHarness(directory: directory, initialized: false) {
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      // In the middle of it.
      $0.makeSessionId = {
        let first = sdk.withLock { sdk in
          defer { sdk = nil }
          return sdk
        }
        first?.setConsent(.denied) {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)) ?? []
          filesThen.withLock { $0 = names }
        }
        return UUID().uuidString
      }
    }
    sdk.withLock { $0 = harness.sdk }
    harness.initialize()
    #expect(await eventually { filesThen.withLock { $0 } != nil })
    #expect(filesThen.withLock { $0 } == [])
  }

  @Test func `the app's own switch is another one: both have to be on`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try harness(collector, TemporaryDirectory())
    await say(.denied, harness)
    harness.sdk.setEnabled(true)
    #expect(!harness.sdk.isEnabled)
    harness.sdk.setEnabled(false)
    await say(.granted, harness)
    #expect(!harness.sdk.isEnabled)
    harness.sdk.setEnabled(true)
    #expect(harness.sdk.isEnabled)
    harness.sdk.trackEvent(name: "now")
    #expect(await eventually { collector.delivered == 1 })
  }

  @Test func `another process that records into the same place hears of it, and erases what it holds`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let app = try harness(collector, directory, consent: .pending)
    // As an extension does: it has a runtime, and a store, of its own.
    let other = try harness(collector, directory, consent: .pending)
    for number in 0..<10 { other.sdk.trackEvent(name: "\(number)") }
    app.sdk.trackEvent(name: "mine")
    let theirs = try #require(other.sdk.runtime).journal.launch.description
    await say(.denied, app)
    // The other one may begin another file before it hears of it.
    #expect(files(directory).allSatisfy { $0.hasPrefix(theirs) })
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "more")
        return other.sdk.consent == .denied
      })
    #expect(await eventually { files(directory).isEmpty })
    #expect(
      await eventually { other.sdk.diagnostics.recorded == other.sdk.diagnostics.dropped.values.reduce(0, +) },
      "\(other.sdk.diagnostics.dropped)")
    #expect(collector.connectionCount == 0)
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

  @Test func `who hears of it late takes nothing of what others have recorded since`() async throws {
    let directory = try TemporaryDirectory()
    let app = try SdkHarness(directory: directory) { $0.storage = .directory(directory.file("recordings")) }
    let other = try SdkHarness(bundleId: "com.example.extension", directory: directory) {
      $0.storage = .directory(directory.file("recordings"))
    }
    other.sdk.trackEvent(name: "theirs")
    await withCheckedContinuation { done in app.sdk.eraseAll { done.resume() } }
    app.sdk.trackEvent(name: "mine")
    let launch = try #require(app.sdk.runtime).journal.launch.description
    #expect(await eventually { files(directory).contains { $0.hasPrefix(launch) } })
    other.sdk.runtime?.lookAtConsent()
    #expect(await eventually { other.sdk.diagnostics.dropped == ["erased": 1] })
    #expect(files(directory).contains { $0.hasPrefix(launch) && $0.hasSuffix(".journal") })
    #expect(try app.recorded().count == 1)
  }

  @Test func `a launch that is denied from its beginning knows nobody`() throws {
    let store = MemoryStore()
    store.set(Identity.userIdKey, "ada")
    let harness = try SdkHarness(
      configure: { $0.consent = .denied }, environment: { $0.makeStore = { store } })
    #expect(harness.sdk.sdkContext?.userId == nil)
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
    #expect(new != id && store.all == [Identity.anonymousIdKey: new])
    #expect(harness.sdk.sdkContext?.userId == nil && harness.sdk.sdkContext?.snapshot().tags == [:])
    #expect(harness.sdk.currentScreenName.map { $0.isEmpty } ?? true)
    #expect(files(directory).contains("notes.txt"), "what is not the SDK's stays")
    #expect(harness.sdk.consent == .pending)
    harness.sdk.trackEvent(name: "after")
    harness.sdk.setConsent(.granted)
    #expect(await eventually { collector.delivered == 1 })
    #expect(harness.sdk.diagnostics.dropped == ["erased": 11])
  }

  @Test func `a decision that cannot be kept is told`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory)
    for place in ["recordings.consent", "recordings/consent"] {
      try FileManager.default.createDirectory(
        at: directory.file(place).appendingPathComponent("x"), withIntermediateDirectories: true)
    }
    await say(.denied, harness)
    #expect(harness.sdk.diagnostics.lastError?.contains("consent cannot be saved") == true)
    #expect(harness.sdk.consent == .denied)
  }

  @Test func `a configuration that says no is heard by others, and is not overheard`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let other = try harness(collector, directory, consent: .pending)
    await say(.granted, other)
    let app = try harness(collector, directory, consent: .denied)
    app.sdk.flush()
    app.sdk.runtime?.lookAtConsent()
    app.sdk.runtime?.presence.sync {}
    #expect(app.sdk.consent == .denied)
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "more")
        return other.sdk.consent == .denied
      })
  }

  @Test func `what is said while the process looks at what others said is not lost`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, consent: .pending)
    let runtime = try #require(harness.sdk.runtime)
    await say(.pending, harness)
    // It is about to look, and finds what the file said before.
    let mayGoOn = DispatchSemaphore(value: 0)
    runtime.presence.async { mayGoOn.wait() }
    try await Task.sleep(nanoseconds: 1_100_000_000)
    runtime.lookAtConsent()
    harness.sdk.setConsent(.denied)
    mayGoOn.signal()
    runtime.presence.sync {}
    #expect(harness.sdk.consent == .denied && !harness.sdk.isEnabled)
    #expect(await eventually { files(directory).isEmpty })
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

  @Test func `an erasure decides nothing, and takes back nothing that another process has said`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    do {
      let harness = try harness(collector, directory)
      await withCheckedContinuation { done in harness.sdk.eraseAll { done.resume() } }
    }
    let other = try harness(collector, directory, consent: .pending)
    #expect(other.sdk.consent == .pending, "nobody has been asked")
    let app = try harness(collector, directory, consent: .pending)
    await say(.denied, app)
    // It has not heard of that.
    await withCheckedContinuation { done in other.sdk.eraseAll { done.resume() } }
    let next = try harness(collector, directory)
    #expect(next.sdk.consent == .denied)
  }

  @Test func `what is said while the SDK is off is not written down`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory)
    harness.sdk.trackEvent(name: "before")
    #expect(await eventually { harness.acknowledged == 1 })
    harness.sdk.setEnabled(false)
    harness.sdk.setUserId("secret-user")
    harness.sdk.setTag("secret-tag", value: "x")
    harness.sdk.setUserId("ada")
    harness.sdk.removeTag("secret-tag")
    harness.sdk.setEnabled(true)
    harness.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.delivered == 2 })
    for name in files(directory) {
      let bytes = (try? Data(contentsOf: directory.file("recordings/\(name)"))) ?? Data()
      #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
    #expect(((collector.events.last?["context"] as? [String: Any])?["userId"] as? String) == "ada")
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

  @Test func `who observes the app's defaults may ask who the user is while that is kept`() async throws {
    final class Asking: KeyValueStore {
      let values = MemoryStore()
      let sdk = Locked<AutoMobileSDK?>(nil)
      func string(_ key: String) -> String? { values.string(key) }
      func set(_ key: String, _ value: String?) {
        values.set(key, value)
        // As user defaults tell their observers.
        let sdk = sdk.withLock { $0 }
        _ = sdk?.anonymousId
        if key == Identity.userIdKey, value == "ada" { sdk?.setUserId("bob") }
      }
    }
    let store = Asking()
    let harness = try SdkHarness(environment: { $0.makeStore = { store } })
    store.sdk.withLock { $0 = harness.sdk }
    harness.sdk.setUserId("ada")
    harness.sdk.resetIdentity()
    #expect(store.values.all[Identity.userIdKey] == nil)
    store.sdk.withLock { $0 = nil }
  }
}
