import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder
@testable import AutoMobileReplay
@testable import AutoMobileRequests

/// The recorder on the SDK as it is.
@Suite(.serialized) struct SdkTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer
  private let sdk: AutoMobileSDK
  private let network = AutoMobileNetwork()

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
    sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.bundleId = "dev.test"
      environment.appVersion = "1.2"
      return environment
    }
  }

  private func initialize() {
    let storage = StorageLocation.directory(temporary.url)
    sdk.initialize(
      bundleId: "dev.test", configuration: AutoMobileConfiguration(endpoint: server.url, storage: storage))
  }

  @Test func `without the SDK there is nothing to record with`() {
    #expect(ReplayServices.live("key", ReplayOptions(), sdk: sdk) == nil)
  }

  @Test func `the collector, the place and the device are the SDK's, unless the app names another collector`() throws {
    initialize()
    let services = try #require(ReplayServices.live("key", ReplayOptions(), sdk: sdk))
    #expect(services.base == server.url)
    #expect(services.root.path.hasPrefix(temporary.url.path))
    #expect(services.device.bundleId == "dev.test" && services.device.metadata["app"] == "1.2")
    let other = try #require(URL(string: "https://replay.example.com"))
    #expect(ReplayServices.live("key", ReplayOptions(endpoint: other), sdk: sdk)?.base == other)
    for text in ["ftp://a.example", "https://", "nowhere"] {
      #expect(ReplayServices.live("key", ReplayOptions(endpoint: URL(string: text)), sdk: sdk) == nil)
    }
    sdk.shutdown()
  }

  @Test func `events carry the replay's id while it is recorded`() async throws {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.trackScreen("Menu")
    let id = try #require(await recorder.start().sessionId)
    #expect(NetworkInterception.shared.isActive)
    recorder.logEvent("paid", ["amount": 3])
    #expect(sdk.sdkContext?.replayId == id)
    #expect(sdk.currentSessionId() != nil)
    _ = await recorder.stop()
    // Other suites use it at the same time.
    #expect(await eventually { !NetworkInterception.shared.isActive })
    #expect(sdk.sdkContext?.replayId == nil)
    let journal = temporary.files.map { String(decoding: $0.content, as: UTF8.self) }.joined()
    #expect(journal.contains(#""replayId":"\#(id)""#))
    #expect(journal.contains(#""name":"paid""#) && journal.contains(#""destination":"Menu""#))
    #expect(server.ends.first?["telemetrySessionIds"] as? [String] == sdk.currentSessionId().map { [$0] })
    network.reset()
    sdk.shutdown()
  }

  @Test func `a listener of the app's may call the replay when it hears of a screen`() async throws {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    let heard = Locked<[String]>([])
    let listener = BlockNavigationListener { event in
      recorder.logEvent("heard", [:])
      heard.withLock { $0.append(event.destination) }
    }
    sdk.addNavigationListener(listener)
    recorder.trackScreen("Menu")
    let id = Locked<String?>(nil)
    Task {
      let start = await recorder.start()
      id.withLock { $0 = start.sessionId }
    }
    try #require(await eventually { id.withLock { $0 } != nil })
    recorder.trackScreen("Cart")
    #expect(await eventually { heard.withLock { $0 } == ["Menu", "Cart"] })
    _ = await recorder.stop()
    network.reset()
    sdk.shutdown()
  }

  @Test(arguments: [true, false])
  func `screens shown while the SDK is off, or denied, are told to no later replay`(isDenial: Bool) async throws {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.follow(sdk)
    let heard = Locked<[String]>([])
    let listener = BlockNavigationListener { event in heard.withLock { $0.append(event.destination) } }
    sdk.addNavigationListener(listener)
    func say(_ consent: Consent) async {
      await withCheckedContinuation { done in sdk.setConsent(consent) { done.resume() } }
    }
    recorder.trackScreen("Before")
    if isDenial { await say(.denied) } else { sdk.setEnabled(false) }
    recorder.trackScreen("Never")
    if isDenial { await say(.pending) } else { sdk.setEnabled(true) }
    recorder.trackScreen("Menu")
    if isDenial { await say(.granted) }
    #expect(await recorder.start().success)
    // What was seen before a denial goes with it.
    let expected = isDenial ? ["Menu"] : ["Before", "Menu"]
    #expect(await eventually { heard.withLock { $0.last } == "Menu" })
    #expect(heard.withLock { $0 } == expected)
    _ = await recorder.stop()
    network.reset()
    sdk.shutdown()
  }

  @Test(arguments: ["the app", "the collector"])
  func `a replay ends when the SDK is switched off, nothing more is sent, and none starts before it is on`(
    by whom: String
  ) async throws {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.follow(sdk)
    let runtime = try #require(sdk.runtime)
    func switchSdk(_ on: Bool) {
      if whom == "the app" { return sdk.setEnabled(on) }
      runtime.recorder.isAllowed = on
      runtime.followSwitches()
    }
    let id = try #require(await recorder.start().sessionId)
    #expect(recorder.sessionId == id)
    switchSdk(false)
    #expect(await recorder.start().error == "disabled")
    #expect(await eventually { recorder.sessionId == nil && sdk.sdkContext?.replayId == nil })
    // Other suites use it at the same time.
    #expect(await eventually { !NetworkInterception.shared.isActive })
    runtime.presence.sync {}
    // What was on its way when it was given up may still come in.
    let requests = await settled { server.requests.count }
    recorder.logEvent("never", [:])
    _ = await recorder.stop()
    try await Task.sleep(nanoseconds: 1_000_000_000)
    #expect(server.requests.count == requests)
    switchSdk(true)
    let next = try #require(await recorder.start().sessionId)
    #expect(next != id)
    _ = await recorder.stop()
    network.reset()
    sdk.shutdown()
  }

  @Test func `a replay ends when the SDK is shut down, nothing more is sent, and none starts afterwards`() async throws
  {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.follow(sdk)
    #expect(await recorder.start().success)
    sdk.shutdown()
    #expect(await recorder.start().error == "disabled")
    #expect(await eventually { recorder.sessionId == nil && sdk.sdkContext?.replayId == nil })
    #expect(!sdk.mayUpload)
    sdk.runtime?.presence.sync {}
    // What was on its way when it was given up may still come in.
    // The SDK itself delivers what is there.
    func requests() -> Int {
      server.requests.filter { !String(decoding: $0.prefix(64), as: UTF8.self).contains(" /sdk-") }.count
    }
    let before = await settled(requests)
    try await Task.sleep(nanoseconds: 1_000_000_000)
    #expect(recorder.sessionId == nil && requests() == before)
    network.reset()
  }

  @Test func `nothing is recorded before the user has agreed`() async throws {
    initialize()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.follow(sdk)
    sdk.setConsent(.pending)
    #expect(await recorder.start().error == "disabled")
    #expect(recorder.sessionId == nil && server.requests.isEmpty)
    sdk.setConsent(.granted)
    #expect(await recorder.start().success)
    // Pictures of the screen end when the user wants to think it over.
    sdk.setConsent(.pending)
    #expect(await eventually { recorder.sessionId == nil })
    network.reset()
    sdk.shutdown()
  }

  @Test(arguments: [true, false])
  func `a denial, and an erasure, leave nothing of a replay that runs, nor of earlier ones`(isDenial: Bool) async throws
  {
    initialize()
    let credentials = MemoryCredentialStore()
    let recorder = ReplayRecorder.live(sdk, network, credentials: credentials)
    recorder.follow(sdk)
    let root = temporary.url.appendingPathComponent("replay")
    // Somebody else's, and one that an earlier launch left.
    let earlier = root.appendingPathComponent("replay_1_x/frames")
    try FileManager.default.createDirectory(at: earlier, withIntermediateDirectories: true)
    try Data("picture".utf8).write(to: earlier.appendingPathComponent("000000000-1-key.amf"))
    let id = try #require(await recorder.start().sessionId)
    #expect(credentials.read() != nil)
    await withCheckedContinuation { done in
      if isDenial { sdk.setConsent(.denied) { done.resume() } } else { sdk.eraseAll { done.resume() } }
    }
    #expect(recorder.sessionId == nil && credentials.read() == nil)
    #expect(!FileManager.default.fileExists(atPath: root.path))
    let (ends, uploads) = (server.ends.count, server.uploaded.count)
    try await Task.sleep(nanoseconds: 500_000_000)
    #expect(server.ends.count == ends && server.uploaded.count == uploads)
    #expect(!FileManager.default.fileExists(atPath: root.path))
    await withCheckedContinuation { done in sdk.setConsent(.granted) { done.resume() } }
    let next = try #require(await recorder.start().sessionId)
    #expect(next != id)
    _ = await recorder.stop()
    network.reset()
    sdk.shutdown()
  }

  @Test func `no replay begins while its files are being removed, and the next one keeps its own`() async throws {
    initialize()
    let credentials = MemoryCredentialStore()
    let recorder = ReplayRecorder.live(sdk, network, credentials: credentials)
    recorder.follow(sdk)
    // Another part takes its time.
    let held = Locked<(@Sendable () -> Void)?>(nil)
    sdk.erasers.add { done in held.withLock { $0 = done } }
    #expect(await recorder.start().success)
    let isErased = Locked(false)
    sdk.eraseAll { isErased.withLock { $0 = true } }
    try #require(await eventually { recorder.sessionId == nil && credentials.read() == nil })
    #expect(await recorder.start().error == "disabled")
    try #require(await eventually { held.withLock { $0 != nil } })
    held.withLock { $0 }?()
    #expect(await eventually { isErased.withLock { $0 } })
    let id = try #require(await recorder.start().sessionId)
    let root = temporary.url.appendingPathComponent("replay")
    #expect(SessionDirectory.all(in: root).map(\.id) == [id])
    _ = await recorder.stop()
    network.reset()
    sdk.shutdown()
  }

  @Test func `an erasure reaches the credential in a launch in which nobody calls the replay`() async throws {
    // As an earlier launch left it.
    let credentials = MemoryCredentialStore()
    func keep() {
      credentials.write(DeviceCredential(token: "t", issuedAt: 0, expiresInMs: 1, audience: "a"))
    }
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.bundleId = "dev.test"
      environment.forgetCredentials = { credentials.write(nil) }
      return environment
    }
    let storage = StorageLocation.directory(temporary.url)
    sdk.initialize(bundleId: "dev.test", configuration: AutoMobileConfiguration(storage: storage))
    keep()
    await withCheckedContinuation { done in sdk.setConsent(.pending) { done.resume() } }
    #expect(credentials.read() != nil)
    await withCheckedContinuation { done in sdk.eraseAll { done.resume() } }
    #expect(credentials.read() == nil)
    keep()
    await withCheckedContinuation { done in sdk.setConsent(.denied) { done.resume() } }
    #expect(credentials.read() == nil)
    sdk.shutdown()
  }

  @Test func `replay lets go of what it asked for, in whatever order others ask`() {
    let (replay, other) = (
      SdkTelemetry(sdk: sdk, network: network, hangs: AutoMobileHangs()),
      SdkTelemetry(sdk: sdk, network: network, hangs: AutoMobileHangs())
    )
    // There is one interception in a process, and other suites use it at the same time.
    func asking() -> [String] {
      let askers: [(String, any AnyObject & Sendable)] = [("replay", replay), ("other", other), ("app", network)]
      return askers.filter { NetworkInterception.shared.isActive(for: $0.1) }.map(\.0)
    }
    replay.startInterception()
    replay.startInterception()
    network.startInterception()
    #expect(asking() == ["replay", "app"] && network.isIntercepting)
    replay.stopInterception()
    #expect(asking() == ["app"] && network.isIntercepting)
    other.startInterception()
    network.stopInterception()
    replay.stopInterception()
    #expect(asking() == ["other"] && network.isIntercepting)
    other.stopInterception()
    #expect(asking() == [])
    network.reset()
  }

  @Test func `touches are recorded for the app and for a replay, and off is off`() {
    let tracker = AutoMobileInteractionTracker()
    let telemetry = SdkTelemetry(sdk: sdk, network: network, hangs: AutoMobileHangs(), touches: tracker)
    telemetry.startTouches()
    #expect(tracker.isEnabled && !tracker.isSwitchedOn)
    telemetry.stopTouches()
    #expect(!tracker.isEnabled)
    tracker.setEnabled(true)
    telemetry.startTouches()
    telemetry.stopTouches()
    #expect(tracker.isEnabled, "the app wants them, too")
    telemetry.startTouches()
    tracker.setEnabled(false)
    #expect(!tracker.isEnabled)
    telemetry.stopTouches()
    sdk.setEnabled(false, for: .interaction)
    telemetry.startTouches()
    #expect(!tracker.isEnabled, "the app has said so")
    sdk.setEnabled(true, for: .interaction)
    telemetry.startTouches()
    #expect(tracker.isEnabled)
  }

  @Test func `an interception that the app began is left to it`() {
    let telemetry = SdkTelemetry(sdk: sdk, network: network, hangs: AutoMobileHangs())
    network.startInterception()
    telemetry.startInterception()
    telemetry.stopInterception()
    #expect(network.isIntercepting)
    network.stopInterception()
    network.reset()
  }
}
