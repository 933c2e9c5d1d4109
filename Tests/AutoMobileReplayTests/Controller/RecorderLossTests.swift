import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// What is not recorded, or not kept: quotas, slow disks, networks that take nothing, erasure.
@Suite(.serialized) struct RecorderLossTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
  }

  @Test func `a key frame is asked for before a segment gets large`() async {
    let studio = Studio(server, in: temporary)
    _ = await studio.recorder.start()
    studio.capture.deliver(frame(studio.clock.now.wall))
    // Who uses the app has been said by now, which asks for one, too.
    let before = studio.capture.state.withLock { $0.keyRequests }
    studio.capture.deliver(frame(studio.clock.now.wall, isKey: false, size: 1000))
    #expect(studio.capture.state.withLock { $0.keyRequests } == before)
    studio.capture.deliver(frame(studio.clock.now.wall, isKey: false, size: FrameStore.segmentSize))
    #expect(studio.capture.state.withLock { $0.keyRequests } == before + 1)
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

  @Test func `on a network that takes nothing, disk and memory are bounded, and what is lost is counted`() async throws
  {
    server.always(.presign, .status(503))
    let studio = Studio(server, in: temporary) { $0.frameBudget = 50_000 }
    _ = await studio.recorder.start()
    for _ in 0..<200 { studio.capture.deliver(frame(studio.clock.now.wall, size: 1000)) }
    let directory = try #require(SessionDirectory.all(in: studio.root).first)
    let size = directory.frameFiles().reduce(0) { $0 + directory.size(of: $1) }
    #expect(size <= 50_000)
    #expect(await studio.findsThatCollectorIsAway())
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
}
