#if os(macOS) || os(Linux)
import AutoMobileSDK
import Foundation
import TestTools
import Testing

@testable import AutoMobileReplay

@Suite(.serialized) struct RecoveryTests {
  @Test func `the anchor is the last entry into the background, unless the app came back`() {
    let session = SessionRecord(id: "s", startedAt: 1000, isTelemetryOnly: false)
    var checkpoint = Checkpoint(
      at: 9000, totalBackgroundMs: 500, telemetrySessionIds: [], framesRecorded: 0, framesDropped: 0)
    func anchor(_ seen: Int64? = nil) -> Int64 {
      Recovery.ending(session, checkpoint, lastSeen: seen).closeAnchorAt
    }
    #expect(anchor() == 9000)
    #expect(anchor(9400) == 9400)
    checkpoint.lastBackgroundAt = 8000
    #expect(anchor(8100) == 8000)
    checkpoint.lastForegroundAt = 8500
    #expect(anchor() == 9000)
    #expect(Recovery.ending(session, nil, lastSeen: nil).closeAnchorAt == 1000)
    #expect(Recovery.ending(session, checkpoint, lastSeen: nil).totalBackgroundMs == 500)
    #expect(Recovery.ending(session, checkpoint, lastSeen: nil).reason == .recoveryFinalize)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a process that is killed while it records is recovered`(run: Int) async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let victim = try Victim(in: temporary.url)
    let target = UInt64.random(in: 1...120)
    #expect(await eventually { victim.frames >= target })
    let truth = victim.kill()

    let result = await recover(temporary.url, server)
    #expect(result.left == [])
    let id = try #require(result.concluded.first)
    #expect(server.ends.count == 1)
    let end = try #require(server.ends.first)
    #expect(end["sessionId"] as? String == id)
    #expect(end["endReason"] as? String == "recovery_finalize")
    #expect((end["timingVersion"] as? NSNumber)?.intValue == 3)
    let anchor = try #require((end["closeAnchorAtMs"] as? NSNumber)?.int64Value)
    #expect(abs(anchor - truth.at) <= 5000)

    // Every frame whose call had returned is there, whole and in order, each segment playing by itself.
    let segments = server.uploaded.filter { $0.kind == "screenshots" }.sorted { $0.startTime < $1.startTime }
    var times: [Int64] = []
    for segment in segments {
      let records = try #require(frames(in: segment.content))
      #expect(records.first?.isKey == true)
      #expect(records.count == segment.frameCount)
      times += records.map(\.timestamp)
    }
    #expect(UInt64(times.count) >= truth.frames)
    #expect(times == times.sorted())
    // The frames went first.
    #expect(server.steps.last == .end)
    #expect(SessionDirectory.all(in: temporary.url).isEmpty)
  }

  @Test func `a session in which nothing moved is recovered by its checkpoint`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let victim = try Victim(in: temporary.url, mode: "still")
    // Past the first checkpoint after the beginning.
    #expect(await eventually { victim.lived >= 6200 })
    let truth = victim.kill()
    _ = await recover(temporary.url, server)
    let end = try #require(server.ends.first)
    let anchor = try #require((end["closeAnchorAtMs"] as? NSNumber)?.int64Value)
    #expect(anchor <= truth.at)
    #expect(truth.at - anchor <= 5000)
  }

  @Test func `all sessions are recovered, each on its own, while another one records`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let studio = Studio(server, in: temporary)
    for _ in 0..<3 {
      let victim = try Victim(in: studio.root)
      #expect(await eventually { victim.frames >= 12 })
      _ = victim.kill()
    }
    let orphans = SessionDirectory.all(in: studio.root).map(\.id)
    #expect(orphans.count == 3)
    let start = await studio.recorder.start()
    let own = try #require(start.sessionId)
    studio.capture.deliver(frame(studio.clock.now.wall))
    #expect(await eventually { Set(server.ends.compactMap { $0["sessionId"] as? String }) == Set(orphans) })
    #expect(studio.recorder.sessionId == own)
    // What is recorded now is not among what was recovered.
    #expect(server.uploaded.allSatisfy { $0.sessionId != own })
    #expect(await eventually { SessionDirectory.all(in: studio.root).map(\.id) == [own] })
    _ = await studio.recorder.stop()
    #expect(server.ends.count == 4)
  }

  @Test func `what cannot be uploaded stays, and is uploaded later`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let victim = try Victim(in: temporary.url)
    #expect(await eventually { victim.frames >= 20 })
    _ = victim.kill()
    server.always(.complete, .status(503))
    #expect(await recover(temporary.url, server).concluded == [])
    #expect(server.ends.isEmpty)
    server.always(.complete, nil)
    server.always(.end, .status(500))
    #expect(await recover(temporary.url, server).concluded == [])
    server.always(.end, nil)
    #expect(await recover(temporary.url, server).left == [])
    #expect(server.ends.count == 1)
    #expect(Set(server.uploaded.map(\.id)).count == server.uploaded.count)
  }

  @Test func `a session that another process records is left alone`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let victim = try Victim(in: temporary.url)
    #expect(await eventually { victim.frames >= 5 })
    #expect(await recover(temporary.url, server) == Recovery.Result())
    #expect(server.steps.isEmpty)
    let frames = victim.frames
    #expect(await eventually { victim.frames > frames })
    let truth = victim.kill()
    #expect(await recover(temporary.url, server).concluded.count == 1)
    let kept = server.uploaded.filter { $0.kind == "screenshots" }.reduce(0) { $0 + $1.frameCount }
    #expect(UInt64(kept) >= truth.frames)
  }

  @Test func `of many sessions that wait for a collector the oldest go`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    for number in 0..<Recovery.mostWaiting + 5 {
      let directory = SessionDirectory(id: "replay_\(1_700_000_000_000 + number)_x", in: temporary.url)
      try directory.make()
    }
    // Somebody may be about to record them.
    _ = await recover(temporary.url, server)
    #expect(SessionDirectory.all(in: temporary.url).count == Recovery.mostWaiting + 5)
    // Nobody recorded them, and that was long ago.
    _ = await recover(temporary.url, server, later: Recovery.longestMaking + 60_000)
    #expect(SessionDirectory.all(in: temporary.url).isEmpty)
    #expect(server.steps.isEmpty)
  }

  @Test func `a session that another process records stays, however long ago it began, and however many came after it`()
    async throws
  {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let victim = try Victim(in: temporary.url)
    #expect(await eventually { victim.frames >= 5 })
    let id = try #require(SessionDirectory.all(in: temporary.url).first?.id)
    #expect(await recover(temporary.url, server, later: 30 * Recovery.longestMaking) == Recovery.Result())
    for number in 0..<Recovery.mostWaiting {
      try SessionDirectory(id: "replay_\(9_700_000_000_000 + number)_x", in: temporary.url).make()
    }
    _ = await recover(temporary.url, server, later: 30 * Recovery.longestMaking)
    #expect(SessionDirectory.all(in: temporary.url).map(\.id) == [id])
    let frames = victim.frames
    #expect(await eventually { victim.frames > frames })
    let truth = victim.kill()
    #expect(await recover(temporary.url, server).concluded == [id])
    let kept = server.uploaded.filter { $0.kind == "screenshots" }.reduce(0) { $0 + $1.frameCount }
    #expect(UInt64(kept) >= truth.frames)
  }

  @Test(arguments: ["dev.test", "dev.test.extension"])
  func `a session that is being concluded stays, and so does what an extension has just left`(owner: String)
    async throws
  {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    // It began long ago.
    let directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try directory.make()
    let journal = try SessionJournal(new: directory, owner: owner, options: SegmentTests.options)
    journal.setSession(SessionRecord(id: directory.id, startedAt: 1, isTelemetryOnly: false))
    _ = FrameStore(directory, budget: FrameBudget()).keep(frame(1), at: 1)
    if owner != "dev.test" { journal.closeAndWait() }
    #expect(await recover(temporary.url, server) == Recovery.Result())
    #expect(directory.frameFiles().count == 1 && server.steps.isEmpty)
    journal.closeAndWait()
    guard owner == "dev.test" else { return }
    #expect(await recover(temporary.url, server).concluded == [directory.id])
  }

  @Test func `a session that cannot be read now stays, however many came after it, and is uploaded later`()
    async throws
  {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    let id = try leaveOrphan(in: temporary.url)
    let directory = SessionDirectory(id: id, in: temporary.url)
    // As before a device has been unlocked for the first time: files can be listed, and not opened.
    let journal = try BlockedFiles(directory.journal) { _ in true }
    let pictures = try BlockedFiles(directory.frames) { _ in true }
    let later = 2 * Recovery.longestMaking
    for number in 0..<Recovery.mostWaiting {
      try SessionDirectory(id: "replay_\(9_700_000_000_000 + number)_x", in: temporary.url).make()
    }
    _ = await recover(temporary.url, server, later: later)
    #expect(SessionDirectory.all(in: temporary.url) == [directory])
    #expect(await recover(temporary.url, server, later: later) == Recovery.Result(left: [id]))
    #expect(server.steps.isEmpty)
    try journal.restore()
    try pictures.restore()
    #expect(await recover(temporary.url, server, later: later) == Recovery.Result(concluded: [id]))
    let times = server.uploaded.filter { $0.kind == "screenshots" }.flatMap { frames(in: $0.content) ?? [] }
      .map(\.timestamp)
    #expect(times == [1_600_000_000_000, 1_600_000_001_000])
    let lines = server.uploaded.filter { $0.kind == "events" }.flatMap { $0.content.split(separator: 0x0A) }
    #expect(lines.count == 2)
    #expect(server.ends.count == 1 && SessionDirectory.all(in: temporary.url).isEmpty)
  }

  @Test func `a directory that no recorder made is left alone`() async throws {
    let temporary = try TemporaryDirectory()
    let server = try ReplayServer()
    for name in ["notes", "replay_..", "replay_1 2", "Replay_1", "replay_" + String(repeating: "a", count: 90)] {
      try FileManager.default.createDirectory(
        at: temporary.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).sorted()
    _ = await recover(temporary.url, server)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).sorted() == before)
  }

  /// - Parameter milliseconds: so much later than now.
  private func recover(
    _ root: URL, _ server: ReplayServer, later milliseconds: Int64 = 0
  ) async -> Recovery.Result {
    let gate = PathGate(wifiOnly: false)
    await gate.note(NetworkPath(isSatisfied: true, isWiFi: true), number: 1)
    let recovery = Recovery(
      root: root, owner: "dev.test", journalOptions: SegmentTests.options, budget: FrameBudget(), gate: gate,
      isOurs: { _ in false }, makeUpload: { _ in segmentUpload(to: server.url) },
      now: { Clocks.millisecondsSince1970() + milliseconds })
    return await recovery.run()
  }
}

/// A process that records until it is killed.
private final class Victim {
  private let process = Process()
  private let witness: URL

  init(in root: URL, mode: String = "moving") throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    witness = FileManager.default.temporaryDirectory.appendingPathComponent("witness-\(UUID().uuidString)")
    try Data(count: 32).write(to: witness)
    process.executableURL = HelperProgram.named("replay-victim")
    process.arguments = [root.path, witness.path, mode]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    try? FileManager.default.removeItem(at: witness)
  }

  private func number(_ index: Int) -> UInt64 {
    guard let data = try? Data(contentsOf: witness), data.count >= 32 else { return 0 }
    return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
  }

  /// Frames that were handed over.
  var frames: UInt64 { number(0) }
  /// For how long it has been recording, in milliseconds.
  var lived: UInt64 { number(2) }

  /// - Returns: what it had done, and when it was last alive, in milliseconds since 1970.
  func kill() -> (frames: UInt64, at: Int64) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return (frames, Int64(number(1)))
  }
}
#endif
