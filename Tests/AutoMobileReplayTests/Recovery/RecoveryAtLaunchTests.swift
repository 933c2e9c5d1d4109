import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileReplay
@testable import AutoMobileSDK

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
