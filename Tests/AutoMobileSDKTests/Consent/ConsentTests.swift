import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What the user has allowed: seen from inside of one process.
@Suite struct `The user's consent`: ConsentSuite {
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

  @Test func `a launch that is denied from its beginning knows nobody`() throws {
    let store = MemoryStore()
    store.set(Identity.userIdKey, "ada")
    let harness = try SdkHarness(
      configure: { $0.consent = .denied }, environment: { $0.makeStore = { store } })
    #expect(harness.sdk.sdkContext?.userId == nil)
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
