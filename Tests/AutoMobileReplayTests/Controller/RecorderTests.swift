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
}
