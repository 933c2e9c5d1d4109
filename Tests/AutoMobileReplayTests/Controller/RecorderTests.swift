import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// The recorder as a whole, against a collector on the loopback interface.
@Suite(.serialized) struct RecorderTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  @Test func `a replay is recorded, uploaded and concluded`() async throws {
    let studio = Studio(server, in: temporary, options: ReplayOptions(autoTrackNetwork: true))
    let start = await studio.recorder.start()
    let id = try #require(start.sessionId)
    #expect(start == ReplayStartResult(success: true, sessionId: id))
    #expect(studio.telemetry.state.withLock { $0.marks } == [id])
    #expect(studio.telemetry.state.withLock { $0.intercepts } == 1)
    for number in 0..<7 {
      studio.clock.advance(333)
      studio.capture.deliver(frame(studio.clock.now.wall, isKey: number % 3 == 0))
    }
    // While it goes on, what is whole is uploaded.
    #expect(await eventually { server.uploaded.filter { $0.kind == "screenshots" }.count == 2 })
    let stop = await studio.recorder.stop()
    #expect(stop == ReplayStopResult(success: true, sessionId: id))
    let segments = server.uploaded.filter { $0.kind == "screenshots" }
    #expect(segments.map(\.frameCount) == [3, 3, 1])
    let lines = server.uploaded.filter { $0.kind == "events" }.map { String(decoding: $0.content, as: UTF8.self) }
      .joined()
    #expect(lines.contains(#""type":"session_start""#) && lines.contains(#""type":"session_end""#))
    let end = try #require(server.ends.first)
    #expect(server.ends.count == 1)
    #expect(end["endReason"] as? String == "user_stop")
    #expect(end["telemetrySessionIds"] as? [String] == ["telemetry-1"])
    #expect((end["closeAnchorAtMs"] as? NSNumber)?.int64Value == studio.clock.now.wall)
    #expect(studio.telemetry.state.withLock { $0.marks } == [id, nil])
    #expect(studio.telemetry.state.withLock { $0.intercepts } == 0)
    #expect(SessionDirectory.all(in: studio.root).isEmpty)
    #expect(studio.recorder.sessionId == nil)
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
    try #require(await eventually { studio.recorder.sessionId != nil })
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

  @Test func `after the ten minutes the next foreground begins a new replay`() async throws {
    let studio = Studio(server, in: temporary)
    let first = try #require(await studio.recorder.start().sessionId)
    studio.clock.advance(600_000)
    #expect(await eventually { studio.recorder.sessionId == nil })
    studio.recorder.controller.send(.enteredBackground)
    studio.recorder.controller.send(.enteredForeground)
    #expect(await eventually { studio.recorder.sessionId.map { $0 != first } ?? false })
    _ = await studio.recorder.stop()
    // The first one's end is told by a task of its own, which whoever stops the second does not wait for.
    #expect(await eventually { server.ends.count == 2 })
    #expect(server.ends.compactMap { $0["endReason"] as? String }.sorted() == ["recording_cap", "user_stop"])
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

  @Test func `a long time in the background ends the session there, and begins one new one`() async throws {
    let studio = Studio(server, in: temporary)
    let first = try #require(await studio.recorder.start().sessionId)
    studio.capture.deliver(frame(studio.clock.now.wall))
    studio.recorder.controller.send(.enteredBackground)
    #expect(await eventually { !studio.capture.isRunning })
    let entered = studio.clock.now.wall
    studio.clock.advance(3_600_000)
    studio.recorder.controller.send(.enteredForeground)
    #expect(await eventually { studio.recorder.sessionId.map { $0 != first } ?? false })
    studio.clock.advance(ReplayMachine.grace)
    let second = studio.recorder.sessionId
    #expect(await eventually { server.ends.count == 1 })
    let end = try #require(server.ends.first)
    #expect(end["endReason"] as? String == "background_timeout")
    #expect((end["closeAnchorAtMs"] as? NSNumber)?.int64Value == entered)
    #expect(studio.recorder.sessionId == second)
    // Frames of the old sink, too late, are nobody's.
    let old = studio.capture.state.withLock { $0.sinks[0] }
    old.accept(frame(studio.clock.now.wall))
    _ = await studio.recorder.stop()
    #expect(server.uploaded.filter { $0.kind == "screenshots" }.map(\.sessionId) == [first])
    #expect(server.ends.count == 2)
  }

  @Test func `a key frame is asked for before a segment gets large`() async {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    studio.capture.deliver(frame(studio.clock.now.wall))
    studio.capture.deliver(frame(studio.clock.now.wall, isKey: false, size: 1000))
    #expect(studio.capture.state.withLock { $0.keyRequests } == 0)
    studio.capture.deliver(frame(studio.clock.now.wall, isKey: false, size: FrameStore.segmentSize))
    #expect(studio.capture.state.withLock { $0.keyRequests } == 1)
    _ = await studio.recorder.stop()
  }

  @Test func `a stopped recorder captures nothing`() async {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    _ = await studio.recorder.stop()
    studio.capture.deliver(frame(studio.clock.now.wall))
    #expect(!studio.capture.isRunning)
    #expect(temporary.files.isEmpty)
  }

  @Test func `no quota ends the frames and the session goes on`() async {
    server.always(.presign, .status(402))
    let studio = Studio(server, in: temporary)
    let start = await studio.recorder.start()
    for _ in 0..<3 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    #expect(await eventually { !studio.capture.isRunning })
    #expect(studio.recorder.sessionId == start.sessionId)
    #expect(await studio.recorder.start().telemetryOnly)
    _ = await studio.recorder.stop()
    #expect(server.ends.count == 1)
  }

  @Test(arguments: [403, 409])
  func `a session that the collector has closed ends, and is not told of`(status: Int) async {
    server.always(.presign, .status(status))
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    for _ in 0..<3 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    #expect(await eventually { studio.recorder.sessionId == nil && !studio.capture.isRunning })
    #expect(await eventually { SessionDirectory.all(in: studio.root).isEmpty })
    #expect(server.ends.isEmpty)
  }

  @Test func `no credential is in any file`() async throws {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    server.always(.presign, .status(503))
    for _ in 0..<3 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    studio.recorder.controller.send(.enteredBackground)
    #expect(await eventually { !studio.capture.isRunning })
    let files = temporary.files
    #expect(files.count > 3)
    for secret in [ReplayServer.token, "public-key-0815", "Bearer"] {
      for file in files { #expect(file.content.range(of: Data(secret.utf8)) == nil, "\(file.path)") }
    }
    server.always(.presign, nil)
    _ = await studio.recorder.stop()
  }

  @Test func `on a network that takes nothing, disk and memory are bounded, and what is lost is counted`() async throws
  {
    server.always(.presign, .status(503))
    let studio = Studio(server, in: temporary) { $0.frameBudget = 50_000 }
    _ = await studio.recorder.start()
    for _ in 0..<200 { studio.capture.deliver(frame(studio.clock.now.wall, size: 1000)) }
    let directory = try #require(SessionDirectory.all(in: studio.root).first)
    let size = directory.frameFiles().reduce(0) { $0 + directory.size(of: $1) }
    #expect(size <= 50_000)
    // Or an answer that comes later would have uploads wait from the moment on to which the clock is set now.
    #expect(await eventually { await studio.recorder.controller.isCollectorAway })
    server.always(.presign, nil)
    // The collector is there again after a while.
    studio.clock.advance(CircuitBreaker.longestWait)
    _ = await studio.recorder.stop()
    let metrics = server.ends.first?["metrics"] as? [String: any Sendable]
    let (recorded, dropped) = (metrics?["framesRecorded"] as? NSNumber, metrics?["framesDropped"] as? NSNumber)
    #expect((recorded?.intValue ?? 0) + (dropped?.intValue ?? 0) == 200)
    #expect((dropped?.intValue ?? 0) > 100)
  }

  @Test func `what was lost before frames were given up counts, although the disk comes to it later`() async throws {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    let sink = try #require(studio.capture.state.withLock { $0.sink } as? SessionRecorder)
    for _ in 0..<300 { sink.dropped(CaptureLoss(frames: 1, reason: .uncertain, since: studio.clock.now.wall)) }
    sink.stopFrames()
    sink.dropped(CaptureLoss(frames: 1, reason: .uncertain, since: studio.clock.now.wall))
    _ = await studio.recorder.stop()
    let metrics = server.ends.first?["metrics"] as? [String: any Sendable]
    #expect((metrics?["framesDropped"] as? NSNumber)?.intValue == 300)
  }

  #if os(Linux)
  @Test func `whoever says something does not wait for the disk, and what was said is written in its order`()
    async throws
  {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    let session = try #require(SessionDirectory.all(in: studio.root).first)
    // Whoever opens it for writing waits until somebody reads: a disk that takes its time.
    let slow = session.path(of: FrameFile(number: 0, timestamp: studio.clock.now.wall, isKey: true)) + ".part"
    try #require(mkfifo(slow, 0o600) == 0)
    let isKept = Locked(false)
    Thread.detachNewThread {
      studio.capture.deliver(frame(studio.clock.now.wall))
      isKept.withLock { $0 = true }
    }
    // Until it is at it.
    try await Task.sleep(nanoseconds: 200_000_000)
    let isSaid = Locked(false)
    Thread.detachNewThread {
      for user in ["ada", "grace", nil] { studio.recorder.identify(user) }
      studio.recorder.trackScreen("Menu")
      studio.recorder.logEvent("paid", [:])
      _ = studio.recorder.sessionId
      isSaid.withLock { $0 = true }
    }
    #expect(await eventually { isSaid.withLock { $0 } })
    #expect(!isKept.withLock { $0 }, "the disk was not slow")
    // It has no frame to rename any more: that would be a pipe, which an upload would wait for.
    let pipe = temporary.url.appendingPathComponent("pipe").path
    try #require(rename(slow, pipe) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    #expect(await eventually { isKept.withLock { $0 } })
    close(reader)
    _ = await studio.recorder.stop()
    let lines = server.uploaded.filter { $0.kind == "events" }.flatMap { $0.content.split(separator: 0x0A) }
      .compactMap { (try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any] }
      .filter { $0["type"] as? String == "identity" }.map { $0["userId"] as? String ?? "nobody" }
    #expect(lines.filter { $0 != FakeTelemetry.echo } == ["ada", "grace", "nobody"])
  }

  @Test func `an erasure does not wait for what the collector asked to wait for`() async throws {
    server.always(.presign, ReplayServer.Answer(status: 429, headers: ["Retry-After": "3600"]))
    let waits = Locked(0)
    let studio = Studio(server, in: temporary) { services in
      services.sleep = { milliseconds in
        waits.withLock { $0 += 1 }
        try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
      }
    }
    _ = await studio.recorder.start()
    for _ in 0..<3 { studio.capture.deliver(frame(studio.clock.now.wall)) }
    try #require(await eventually { waits.withLock { $0 } > 0 })
    #expect(!filesInUse(in: studio.root).isEmpty)
    await studio.recorder.controller.erase()
    studio.capture.state.withLock { $0 = FakeCapture.State() }
    #expect(await eventually { filesInUse(in: studio.root).isEmpty })
    #expect(studio.credentials.read() == nil)
  }

  @Test func `an erasure reaches what is uploaded still of a replay that was configured otherwise`() async throws {
    server.always(.presign, ReplayServer.Answer(status: 429, headers: ["Retry-After": "3600"]))
    let studio = Studio(server, in: temporary) { services in
      services.sleep = { try await Task.sleep(nanoseconds: UInt64($0) * 1_000_000) }
    }
    _ = await studio.recorder.start()
    studio.capture.deliver(frame(studio.clock.now.wall))
    let isStopped = Locked(false)
    Task { [recorder = studio.recorder] in
      _ = await recorder.stop()
      isStopped.withLock { $0 = true }
    }
    // The app does not wait for that upload.
    #expect(
      await eventually {
        studio.clock.advance(1000)
        return isStopped.withLock { $0 }
      })
    studio.recorder.configure(publicKey: "another-key", options: ReplayOptions())
    #expect(await studio.recorder.start().success)
    await studio.recorder.controller.erase()
    studio.capture.state.withLock { $0 = FakeCapture.State() }
    #expect(await eventually { filesInUse(in: studio.root).isEmpty })
  }
  #endif

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
