#if os(macOS) || os(Linux)
import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// An app and its extensions record into one directory, each with a store of its own: who is erased in one is erased in all.
@Suite struct `An erasure by another process` {
  private let directory: TemporaryDirectory
  private let collector: TestCollector
  /// That nobody but the test lifts.
  private static let held = DeliveryHolds(rawValue: 128)

  init() throws {
    directory = try TemporaryDirectory()
    collector = try TestCollector()
  }

  private func harness(
    _ bundleId: String = "com.example.app", store: MemoryStore = MemoryStore(), consent: Consent = .granted
  ) throws -> SdkHarness {
    try SdkHarness(bundleId: bundleId, directory: directory, realTimers: true) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
      $0.consent = consent
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      $0.makeStore = { store }
    }
  }

  private func eraseAll(_ harness: SdkHarness) async {
    await withCheckedContinuation { done in harness.sdk.eraseAll { done.resume() } }
  }

  private func say(_ consent: Consent, _ harness: SdkHarness) async {
    await withCheckedContinuation { done in harness.sdk.setConsent(consent) { done.resume() } }
  }

  @Test func `has nothing sent that was recorded before, though nobody has looked yet`() async throws {
    defer { collector.stop() }
    let (app, other) = (try harness(), try harness())
    let runtime = try #require(other.sdk.runtime)
    // It has something to send, and is busy with something else.
    runtime.delivery?.setHeld(true, by: Self.held)
    // It may be looking for the first time just now, and would find the event on its way.
    runtime.delivery?.queue.sync {}
    other.sdk.trackEvent(name: "theirs")
    let mayGoOn = DispatchSemaphore(value: 0)
    runtime.presence.async { mayGoOn.wait() }
    await eraseAll(app)
    runtime.delivery?.setHeld(false, by: Self.held)
    runtime.delivery?.queue.sync {}
    try await Task.sleep(nanoseconds: 500_000_000)
    #expect(!collector.events.contains { $0["name"] as? String == "theirs" })
    mayGoOn.signal()
    // Nobody records anything meanwhile: it looks because it was refused.
    #expect(await eventually { other.sdk.diagnostics.dropped["erased"] == 1 })
    other.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.events.contains { $0["name"] as? String == "after" } })
    #expect(!collector.events.contains { $0["name"] as? String == "theirs" })
  }

  @Test(arguments: [false, true])
  func `reaches who the user was in a process that did not run`(isDenial: Bool) async throws {
    defer { collector.stop() }
    let store = MemoryStore()
    let launch: LaunchID
    do {
      let other = try harness(store: store, consent: .pending)
      other.sdk.setUserId("ada")
      launch = try #require(other.sdk.runtime).journal.launch
    }
    try await SdkHarness.waitUntilGone(launch)
    let id = try #require(store.all[Identity.anonymousIdKey])
    #expect(store.all[Identity.userIdKey] == "ada")
    do {
      let app = try harness()
      if isDenial {
        await say(.denied, app)
        await say(.granted, app)
      } else {
        await eraseAll(app)
      }
    }
    for _ in 0..<2 {
      let other = try harness(store: store)
      #expect(other.sdk.sdkContext?.userId == nil && other.sdk.anonymousId != id)
      #expect(store.all[Identity.userIdKey] == nil && store.all[Identity.anonymousIdKey] != id)
    }
    // Who comes then stays.
    do {
      let other = try harness(store: store)
      other.sdk.setUserId("bob")
    }
    let (bob, name) = (try harness(store: store), store.all[Identity.anonymousIdKey])
    #expect(bob.sdk.sdkContext?.userId == "bob" && bob.sdk.anonymousId == name && name != nil)
  }

  @Test func `that was a denial ends when that one is granted again, with the next event`() async throws {
    defer { collector.stop() }
    let (app, other) = (try harness(), try harness())
    await say(.denied, app)
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "before")
        return other.sdk.consent == .denied
      })
    #expect(await eventually { !other.sdk.isEnabled })
    await say(.granted, app)
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "poke")
        return other.sdk.isEnabled
      })
    other.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.events.contains { $0["name"] as? String == "after" } })
  }

  @Test func `that another one has died of is ended in the end`() async throws {
    defer { collector.stop() }
    let left: LaunchID
    do {
      let dead = try harness("com.example.extension", consent: .pending)
      dead.sdk.trackEvent(name: "left")
      left = try #require(dead.sdk.runtime).journal.launch
    }
    try await SdkHarness.waitUntilGone(left)
    let other = try harness(consent: .pending)
    let runtime = try #require(other.sdk.runtime)
    // After that launch had begun.
    let consent = directory.file("recordings.consent")
    let then = Clocks.millisecondsSince1970()
    try Data("pending \(then) erasing\n".utf8).write(to: consent)
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "more")
        return runtime.consent.erasedAt == then
      })
    runtime.endErasureOfAnotherOne()
    #expect(await eventually { (try? Data(contentsOf: consent)) == Data("pending \(then)\n".utf8) })
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)
    #expect(!files.contains { $0.hasPrefix(left.description) }, "\(files)")
    other.sdk.setConsent(.granted)
    other.sdk.trackEvent(name: "after")
    #expect(await eventually { collector.events.contains { $0["name"] as? String == "after" } })
    #expect(!collector.events.contains { $0["name"] as? String == "left" })
  }

  @Test func `before the first unlock reaches who the user was when that can be read`() throws {
    defer { collector.stop() }
    let store = MemoryStore([Identity.anonymousIdKey: "old", Identity.userIdKey: "ada"])
    store.setLocked(true)
    let identity = Identity(store: store, erasedAt: 7)
    let context = SdkContext(
      ContextState(sessionId: "s", userId: nil, anonymousId: nil, appVersion: nil), user: identity
    ) { _ in }
    store.setLocked(false)
    #expect(identity.settle(into: context) == true, "it is no new installation")
    #expect(context.userId == nil && context.anonymousId != "old" && context.anonymousId != nil)
    #expect(store.all[Identity.erasedAtKey] == "7" && store.all[Identity.userIdKey] == nil)
    #expect(Identity(store: store, erasedAt: 7).anonymousId == context.anonymousId)
  }
}

#if os(macOS) || os(Linux)
/// The same from outside: programs that know nothing of each other.
@Suite struct `An app and its extension, of which one is asked to forget` {
  @Test func `send nothing of before, and do not know the user any more`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let container = try TemporaryDirectory()
    let recordings = container.file("recordings")
    func store(_ name: String) -> URL { container.file(name + ".json") }
    // One that has run before, and one that runs.
    _ = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store("first"), "init=pending", "started", "user=ada",
      "event=first")
    let second = try ScriptedApp(
      in: recordings, endpoint: collector.url, store: store("second"),
      [
        "init=pending", "started", "user=ada", "events=200", "await-erasure", "event=after", "consent=granted",
        "deliver",
      ])
    #expect(await eventually { second.lines.contains("events=200") })
    let app = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store("app"), "init=pending", "started", "erase")
    #expect(app.status == 0)
    #expect(await second.run.status() == 0)
    _ = try await ScriptedApp.play(
      in: recordings, endpoint: collector.url, store: store("first"), "init", "started", "look", "event=again",
      "deliver")
    let names = collector.events.compactMap { $0["name"] as? String }
    #expect(names.contains("after") && names.contains("again"))
    #expect(!names.contains("first") && !names.contains("event"), "\(names)")
    #expect(!collector.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("ada") })
    for name in ["first", "second", "app"] {
      let text = (try? String(decoding: Data(contentsOf: store(name)), as: UTF8.self)) ?? ""
      #expect(!text.contains("ada"), "\(name)")
    }
  }
}
#endif
#endif
