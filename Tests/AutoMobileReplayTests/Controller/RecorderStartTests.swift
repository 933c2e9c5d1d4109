import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// What the collector and the network make of a start.
@Suite(.serialized) struct RecorderStartTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  @Test(arguments: [401, 403, 404])
  func `a denial leaves nothing behind`(status: Int) async {
    server.always(.config, .status(status))
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start() == .failed("access_denied_\(status)"))
    expectNothing(studio)
  }

  @Test(arguments: [400, 402, 429, 500, 503])
  func `any other failure of the configuration means the defaults`(status: Int) async {
    server.always(.config, .status(status))
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start().success)
    #expect(studio.capture.isRunning)
    _ = await studio.recorder.stop()
  }

  @Test func `a launch that is not sampled records nothing, and asks for no credential`() async {
    server.configure(#"{"sampleRate":50}"#)
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start() == .failed("sampled_out"))
    expectNothing(studio)
    #expect(server.steps == [.config])
  }

  @Test(arguments: [#"{"recordingEnabled":false}"#, #"{"billingBlocked":true}"#])
  func `recording that is switched off remotely records events and no frames`(_ configuration: String) async {
    server.configure(configuration)
    let studio = Studio(server, in: temporary)
    let start = await studio.recorder.start()
    #expect(start.success && start.telemetryOnly)
    #expect(!studio.capture.isRunning)
    #expect(studio.telemetry.state.withLock { $0.marks } == [start.sessionId])
    _ = await studio.recorder.stop()
    #expect(!server.uploaded.contains { $0.kind == "screenshots" })
    #expect(server.ends.count == 1)
  }

  @Test func `without frames, touches are recorded by what is to be covered, until it is over`() async throws {
    server.configure(#"{"recordingEnabled":false,"imageVideoMasking":"all"}"#)
    var options = ReplayOptions()
    options.masking.maskAllText = true
    options.masking.mask(classesNamed: ["CardView"])
    let studio = Studio(server, in: temporary, options: options)
    #expect(await studio.recorder.start().telemetryOnly)
    let began = studio.telemetry.state.withLock { $0.touchesBegan }
    let rules = try #require(began.first ?? nil)
    #expect(began.count == 1 && rules.masksText && rules.masksImages && rules.classes == options.masking.classes)
    _ = await studio.recorder.stop()
    #expect(studio.telemetry.state.withLock { $0.masking } == [rules, nil])
  }

  @Test func `a project that is switched off is a denial with its reason`() async {
    server.configure(#"{"disabled":true,"reason":"project_paused"}"#)
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start() == .failed("project_paused"))
    expectNothing(studio)
  }

  @Test func `a remote frame rate wins, and masks are never loosened from afar`() async {
    server.configure(#"{"recordingFps":7,"textInputMasking":"secure_only","imageVideoMasking":"all"}"#)
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    let settings = studio.capture.state.withLock { $0.settings }
    #expect(settings?.framesPerSecond == 7)
    #expect(settings?.masksTextInput == true && settings?.masksImages == true)
    _ = await studio.recorder.stop()
  }

  @Test func `what the app wants covered is covered, whatever the collector says`() async throws {
    server.configure(#"{"textInputMasking":"secure_only","imageVideoMasking":"none"}"#)
    var options = ReplayOptions()
    options.masking = ReplayMasking(maskAllText: true, maskAllImages: true, maskUnknownViews: true)
    options.masking.mask(classesNamed: ["CardView"])
    let studio = Studio(server, in: temporary, options: options)
    _ = await studio.recorder.start()
    var settings = try #require(studio.capture.state.withLock { $0.settings })
    #expect(settings.masking == options.masking)
    // Nobody who wants every text covered wants to see what is typed.
    settings.masksTextInput = false
    let rules = MaskingRules(settings)
    #expect(rules.masksText && rules.masksTextInput && rules.masksImages && rules.masksUnknown)
    #expect(rules.classes.mark([(ObjectIdentifier(Studio.self), "CardView")]) == .mask)
    let plain = MaskingRules(CaptureSettings())
    #expect(!plain.masksText && !plain.masksImages && !plain.masksUnknown && plain.classes.isEmpty)
    _ = await studio.recorder.stop()
  }

  @Test func `a credential that is refused is a denial, and none within five seconds a timeout`() async {
    server.always(.auth, .status(403))
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start() == .failed("access_denied_403"))
    expectNothing(studio)

    let offline = Studio(server, in: temporary) { $0.path = NoPath() }
    async let start = offline.recorder.start()
    #expect(await eventually { server.steps.filter { $0 == .config }.count == 2 })
    let result = Locked<ReplayStartResult?>(nil)
    let watcher = Task { [start = Task { await offline.recorder.start() }] in
      let value = await start.value
      result.withLock { $0 = value }
    }
    #expect(
      await eventually {
        offline.clock.advance(ReplayMachine.startTimeout)
        return result.withLock { $0 } != nil
      })
    await watcher.value
    #expect(await start == .failed("start_timeout"))
    expectNothing(offline)
  }

  @Test
  func
    `a first start without a network says so, and the replay begins when there is one, as the collector wants it then`()
    async throws
  {
    let path = SwitchedPath()
    let studio = Studio(server, in: temporary) { $0.path = path }
    let result = Locked<ReplayStartResult?>(nil)
    Task { [recorder = studio.recorder] in
      let value = await recorder.start()
      result.withLock { $0 = value }
    }
    #expect(await eventually { server.steps == [.config] })
    #expect(
      await eventually {
        studio.clock.advance(ReplayMachine.startTimeout)
        return result.withLock { $0 } != nil
      })
    #expect(result.withLock { $0 } == .failed("start_timeout"))
    server.configure(#"{"recordingEnabled":false}"#)
    path.set(NetworkPath(isSatisfied: true, isWiFi: true))
    // Where it came before it was waited for, the collector is asked again after a pause.
    try #require(
      await eventually {
        studio.clock.advance(ReplayMachine.firstRetry)
        return studio.recorder.sessionId != nil
      })
    #expect(await studio.recorder.start().telemetryOnly)
    _ = await studio.recorder.stop()
    #expect(server.ends.count == 1)
  }

  @Test func `a collector that is away at the first start is asked again`() async throws {
    server.always(.auth, .status(503))
    let studio = Studio(server, in: temporary)
    #expect(await studio.recorder.start() == .failed("no_credential"))
    expectNothing(studio)
    server.always(.auth, nil)
    #expect(
      await eventually {
        studio.clock.advance(ReplayMachine.firstRetry)
        return studio.recorder.sessionId != nil
      })
    _ = await studio.recorder.stop()
  }

  @Test func `a credential that is kept and valid is used, an expired one is not`() async {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    _ = await studio.recorder.stop()
    _ = await studio.recorder.start()
    _ = await studio.recorder.stop()
    #expect(server.steps.filter { $0 == .auth }.count == 1)
    studio.clock.advance(3_600_000 - 59_000)
    _ = await studio.recorder.start()
    _ = await studio.recorder.stop()
    #expect(server.steps.filter { $0 == .auth }.count == 2)
  }

  private func expectNothing(_ studio: Studio) {
    #expect(studio.recorder.sessionId == nil)
    #expect(!studio.capture.isRunning)
    #expect(studio.capture.state.withLock { $0.settings } == nil)
    #expect(
      studio.telemetry.state.withLock { $0.marks.isEmpty && $0.intercepts == 0 && $0.touches == 0 && $0.freezes == nil }
    )
    #expect(temporary.files.isEmpty)
  }
}

/// A network that comes and goes.
private final class SwitchedPath: PathMonitor {
  private let observer = Locked<(@Sendable (NetworkPath) -> Void)?>(nil)

  func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void) {
    observer.withLock { $0 = onChange }
    onChange(NetworkPath(isSatisfied: false, isWiFi: false))
  }
  func stop() {}
  func set(_ path: NetworkPath) { observer.withLock { $0 }?(path) }
}

/// There is no network.
private struct NoPath: PathMonitor {
  func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void) {
    onChange(NetworkPath(isSatisfied: false, isWiFi: false))
  }
  func stop() {}
}
