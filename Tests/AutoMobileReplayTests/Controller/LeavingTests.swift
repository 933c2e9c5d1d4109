import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// What becomes of a replay while the app is away, and of its last part.
@Suite(.serialized) struct LeavingTests {
  private let temporary: TemporaryDirectory
  private let server: ReplayServer
  private let studio: Studio
  private let lifecycle = ToldLifecycle()
  /// How often time was asked for, and how often it was given back.
  private let time = Locked((lent: 0, returned: 0))

  init() throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
    studio = Studio(server, in: temporary)
    let time = time
    studio.recorder.observeLifecycle(lifecycle) { _ in
      time.withLock { $0.lent += 1 }
      return { time.withLock { $0.returned += 1 } }
    }
  }

  private var isTimeReturned: Bool { time.withLock { $0.lent == $0.returned } }

  private func frames() -> [Int64] {
    server.uploaded.filter { $0.kind == "screenshots" }.flatMap { segment in
      (AutoMobileReplayTests.frames(in: segment.content) ?? []).map(\.timestamp)
    }
  }

  private func events() -> [String] {
    server.uploaded.filter { $0.kind == "events" }.flatMap { $0.content.split(separator: 0x0A) }
      .compactMap { (try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any] }
      .compactMap { $0["type"] as? String }.filter { $0 != "identity" }
  }

  @Test func `the last part leaves the phone when the app leaves, in time that is given back after that`() async throws
  {
    _ = await studio.recorder.start()
    var taken: [Int64] = []
    func deliver(isKey: Bool) {
      studio.clock.advance(300)
      taken.append(studio.clock.now.wall)
      studio.capture.deliver(frame(studio.clock.now.wall, isKey: isKey))
    }
    deliver(isKey: true)
    for _ in 0..<3 { deliver(isKey: false) }
    let waiting = studio.clock.waiting
    lifecycle.tell(.enteredBackground)
    #expect(time.withLock { $0.lent } == 1)
    #expect(await eventually { !studio.capture.isRunning })
    // One that was being encoded.
    taken.append(studio.clock.now.wall)
    studio.capture.deliver(frame(studio.clock.now.wall, isKey: false))
    #expect(!isTimeReturned && frames().isEmpty)
    #expect(await eventually { studio.clock.waiting > waiting })
    studio.clock.advance(FrameSegments.lateness)
    #expect(await eventually { isTimeReturned })
    #expect(frames() == taken)
    #expect(events() == ["session_start", "background"])
    #expect(server.ends.isEmpty)

    // The app comes back, and nothing is sent twice.
    lifecycle.tell(.becameActive)
    #expect(await eventually { studio.capture.isRunning })
    deliver(isKey: true)
    _ = await studio.recorder.stop()
    #expect(frames() == taken)
    #expect(events() == ["session_start", "background", "foreground", "session_end"])
    #expect(Set(server.uploaded.map(\.id)).count == server.uploaded.count)
  }

  @Test func `who stops when the app leaves has the end told in that time`() async throws {
    _ = await studio.recorder.start()
    studio.capture.deliver(frame(studio.clock.now.wall))
    let isEnding = Locked(false)
    server.always(.presign, .status(500))
    Task { [recorder = studio.recorder] in
      isEnding.withLock { $0 = true }
      _ = await recorder.stop()
    }
    #expect(await eventually { studio.recorder.sessionId == nil && isEnding.withLock { $0 } })
    server.always(.presign, nil)
    lifecycle.tell(.enteredBackground)
    #expect(await eventually { isTimeReturned && time.withLock { $0.lent } == 1 })
    #expect(await eventually { server.ends.count == 1 })
  }

  @Test func `an app that leaves while nothing is recorded gives the time back at once`() async {
    lifecycle.tell(.enteredBackground)
    #expect(await eventually { isTimeReturned && time.withLock { $0.lent } == 1 })
  }

  @Test func `checkpoints go on while the app is away, and the session still ends where it left`() async throws {
    _ = await studio.recorder.start()
    studio.clock.advance(1000)
    lifecycle.tell(.enteredBackground)
    #expect(await eventually { !studio.capture.isRunning })
    let left = studio.clock.now.wall
    let journal = try #require(studio.recorder.controller.current.withLock { $0?.recorder.journal })
    for _ in 0..<3 {
      studio.clock.advance(Checkpoint.intervalMs)
      let now = studio.clock.now.wall
      #expect(await eventually { journal.last(.replayCheckpoint, as: Checkpoint.self)?.at == now })
    }
    let checkpoint = try #require(journal.last(.replayCheckpoint, as: Checkpoint.self))
    #expect(checkpoint.lastBackgroundAt == left)
    let record = SessionRecord(id: "s", startedAt: left - 1000, isTelemetryOnly: false)
    #expect(Recovery.ending(record, checkpoint, lastSeen: nil).closeAnchorAt == left)
    _ = await studio.recorder.stop()
  }
}
