import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileReplay
@testable import AutoMobileRequests

/// What an earlier launch left is finished by the next one in which the replay is configured, whatever else that one does.
@Suite(.serialized) struct RecoveryAtLaunchTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  private var root: URL { temporary.url.appendingPathComponent("replay") }

  private func isRecovered(_ id: String) async -> Bool {
    await eventually {
      server.ends.contains { $0["sessionId"] as? String == id && $0["endReason"] as? String == "recovery_finalize" }
        && !SessionDirectory.all(in: root).map(\.id).contains(id)
    }
  }

  @Test func `a launch that never starts a replay finishes what was left`() async throws {
    let id = try leaveOrphan(in: root)
    let studio = Studio(server, in: temporary)
    #expect(await isRecovered(id))
    #expect(studio.recorder.sessionId == nil)
    #expect(!server.steps.contains(.config))
  }

  @Test(arguments: [#"{"sampleRate":10}"#, #"{"disabled":true}"#])
  func `a launch that is not recorded finishes what was left`(configuration: String) async throws {
    server.configure(configuration)
    let studio = Studio(server, in: temporary)
    // Left after the replay was configured, so that only the start is there to find it.
    #expect(await eventually { await studio.recorder.controller.isIdle })
    let id = try leaveOrphan(in: root)
    #expect(await !studio.recorder.start().success)
    #expect(await isRecovered(id))
  }

  @Test func `a launch that gets no credential at first finishes what was left as soon as it gets one`() async throws {
    let id = try leaveOrphan(in: root)
    server.always(.auth, .status(503))
    let studio = Studio(server, in: temporary) { services in
      services.sleep = { _ in try await Task.sleep(nanoseconds: 10_000_000) }
    }
    #expect(await studio.recorder.start() == .failed("no_credential"))
    #expect(server.ends.isEmpty)
    server.always(.auth, nil)
    #expect(
      await eventually {
        // It was left alone for a while.
        studio.clock.advance(CircuitBreaker.longestWait)
        return server.ends.contains { $0["sessionId"] as? String == id }
      })
    _ = await studio.recorder.stop()
  }

  @Test func `what was left goes to the collector before what is recorded now`() async throws {
    let id = try leaveOrphan(in: root, seconds: 40)
    let studio = Studio(server, in: temporary)
    let own = try #require(await studio.recorder.start().sessionId)
    for _ in 0..<5 {
      studio.clock.advance(5000)
      studio.capture.deliver(frame(studio.clock.now.wall))
    }
    #expect(await isRecovered(id))
    _ = await studio.recorder.stop()
    let sessions = server.uploaded.map(\.sessionId)
    #expect(sessions.filter { $0 == id }.count > 40 && sessions.filter { $0 == own }.count >= 5)
    #expect(sessions == sessions.filter { $0 == id } + sessions.filter { $0 == own })
    #expect(server.ends.compactMap { $0["sessionId"] as? String } == [id, own])
  }

  @Test func `what is recorded now waits half a minute for what was left, and not until all of it is there`()
    async throws
  {
    let id = try leaveOrphan(in: root)
    // One that said how long it wants to be left alone would be left alone by both.
    server.next(.presign, [.status(503)])
    let held = HeldSleep()
    let studio = Studio(server, in: temporary) { services in services.sleep = { try await held.sleep($0) } }
    try #require(await eventually { held.count > 0 })
    let own = try #require(await studio.recorder.start().sessionId)
    for _ in 0..<2 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    try await Task.sleep(nanoseconds: 200_000_000)
    #expect(server.uploaded.isEmpty, "the rest had no turn yet")
    let start = studio.clock.now.steady
    #expect(
      await eventually {
        studio.clock.advance(1000)
        return server.uploaded.contains { $0.sessionId == own }
      })
    #expect(studio.clock.now.steady - start >= RecoveryLoop.longestHold)
    #expect(!server.uploaded.contains { $0.sessionId == id })
    held.release()
    #expect(await isRecovered(id))
    _ = await studio.recorder.stop()
  }

  @Test func `one that another has taken the place of finishes nothing more`() async throws {
    let id = try leaveOrphan(in: root)
    let engine = ReplayEngine(
      .forTests(root: root, base: server.url), current: Locked(nil), askForRecovery: {}, send: { _ in })
    engine.retire()
    engine.recover()
    try await Task.sleep(nanoseconds: 500_000_000)
    #expect(server.requests.isEmpty && SessionDirectory.all(in: root).map(\.id) == [id])
  }

  @Test func `what a replay could not upload is finished by the one that was configured after it`() async throws {
    let isFailing = Locked(true)
    let tries = Locked<[String: Int]>([:])
    let longWaits = Locked<[String]>([])
    server.always(.presign, ReplayServer.Answer(status: 429, headers: ["Retry-After": "30"]))
    let studio = Studio(server, in: temporary) { services in
      let key = services.publicKey
      services.sleep = { milliseconds in
        tries.withLock { $0[key, default: 0] += 1 }
        if milliseconds >= RecoveryLoop.firstWait { longWaits.withLock { $0.append(key) } }
        while isFailing.withLock({ $0 }) || milliseconds >= RecoveryLoop.firstWait {
          try await Task.sleep(nanoseconds: 10_000_000)
        }
      }
    }
    // Or it would look like one of long ago, whose recorder is gone.
    studio.clock.advance(Clocks.millisecondsSince1970() - studio.clock.now.wall)
    let id = try #require(await studio.recorder.start().sessionId)
    studio.capture.deliver(frame(studio.clock.now.wall))
    let stop = Task { [recorder = studio.recorder] in await recorder.stop() }
    // The app does not wait for that upload.
    #expect(
      await eventually {
        studio.clock.advance(1000)
        return await studio.recorder.controller.isIdle
      })
    try #require(await eventually { tries.withLock { $0["public-key-0815"] ?? 0 } > 0 })
    studio.recorder.configure(publicKey: "another-key", options: ReplayOptions())
    #expect(await studio.recorder.controller.isIdle)
    server.always(.presign, .status(503))
    isFailing.withLock { $0 = false }
    _ = await stop.value
    #expect(await eventually { longWaits.withLock { !$0.isEmpty } })
    #expect(longWaits.withLock { $0 } == ["another-key"])
    #expect(SessionDirectory.all(in: root).map(\.id) == [id])
    // Off is off, for both.
    studio.recorder.controller.send(.switched(on: false))
    #expect(await eventually { await studio.recorder.controller.isIdle })
    let requests = server.requests.count
    try await Task.sleep(nanoseconds: 300_000_000)
    #expect(server.requests.count == requests)
  }

  @Test(arguments: [true, false])
  func `nothing is finished before the user has agreed, and then it is, whichever is there first`(
    isConfiguredFirst: Bool
  )
    async throws
  {
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.bundleId = "dev.test"
      return environment
    }
    let network = AutoMobileNetwork()
    var recorder: ReplayRecorder?
    if isConfiguredFirst {
      recorder = .live(sdk, network)
      recorder?.follow(sdk)
    }
    var configuration = AutoMobileConfiguration(endpoint: server.url, storage: .directory(temporary.url))
    configuration.consent = .pending
    sdk.initialize(bundleId: "dev.test", configuration: configuration)
    let host = try #require(sdk.replayHost)
    let root = host.directory.appendingPathComponent("replay")
    let id = try leaveOrphan(in: root, owner: host.owner)
    if recorder == nil {
      recorder = .live(sdk, network)
      recorder?.follow(sdk)
    }
    recorder?.configure(publicKey: "key", options: ReplayOptions())
    #expect(await recorder?.start().error == "disabled")
    #expect(await eventually { await recorder?.controller.isIdle ?? false })
    #expect(!server.steps.contains(.presign))
    sdk.setConsent(.granted)
    #expect(await eventually { server.ends.contains { $0["sessionId"] as? String == id } })
    network.reset()
    sdk.shutdown()
  }

  @Test func `a replay that was configured before the SDK was there finishes what was left`() async throws {
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.bundleId = "dev.test"
      return environment
    }
    let network = AutoMobileNetwork()
    let recorder = ReplayRecorder.live(sdk, network)
    recorder.follow(sdk)
    recorder.configure(publicKey: "key", options: ReplayOptions())
    let storage = StorageLocation.directory(temporary.url)
    let place = RecordingPlace(
      bundleId: "dev.test", configuration: AutoMobileConfiguration(storage: storage), environment: SdkEnvironment())
    let id = try leaveOrphan(in: root, owner: place.owner)
    sdk.initialize(
      bundleId: "dev.test", configuration: AutoMobileConfiguration(endpoint: server.url, storage: storage))
    #expect(sdk.replayHost?.directory.path == temporary.url.path)
    #expect(await isRecovered(id))
    network.reset()
    sdk.shutdown()
  }
}
