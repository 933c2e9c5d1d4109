import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// What becomes of a session's files while they are uploaded.
@Suite(.serialized) struct `Uploading a session` {
  private let temporary: TemporaryDirectory
  private let directory: SessionDirectory
  private let server: ReplayServer
  private let gate = PathGate(wifiOnly: false)
  private let budget = FrameBudget(limit: 1_000_000)

  init() async throws {
    temporary = try TemporaryDirectory()
    server = try ReplayServer()
    directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try directory.make()
    await gate.note(SharedNetwork.wiFi, number: 1)
  }

  private func upload(_ journal: SessionJournal, time: (@Sendable () -> Int64)? = nil) -> SessionUpload {
    SessionUpload(
      directory, journal: journal, budget: budget, upload: segmentUpload(to: server.url), gate: gate, time: time
    ) { _ in }
  }

  @Test func `what the disk does not let go of is uploaded once`() async throws {
    let store = FrameStore(directory, budget: budget)
    for time in Int64(1)...2 { _ = store.keep(frame(time), at: time) }
    // Nobody can unlink a directory.
    let stubborn = FrameFile(number: 2, timestamp: 3, isKey: true)
    try FileManager.default.createDirectory(
      atPath: directory.path(of: stubborn), withIntermediateDirectories: false)
    let journal = try SessionJournal(new: directory, owner: "o", options: SegmentTests.options)
    let upload = upload(journal)
    let progress = Locked<SessionUpload.Progress?>(nil)
    Task {
      let result = await upload.drain(isOver: true)
      progress.withLock { $0 = result }
    }
    #expect(await eventually { progress.withLock { $0 } != nil })
    #expect(progress.withLock { $0 } == .done)
    #expect(server.uploaded.map(\.frameCount) == [1, 1])
    #expect(await upload.metrics.framesLost == 1)
    #expect(directory.frameFiles() == [stubborn])
    journal.closeAndWait()
  }

  @Test func `frames for which there is no quota count as not taken, all of them`() async throws {
    server.always(.presign, .status(402))
    let store = FrameStore(directory, budget: budget)
    for time in Int64(0)..<6 { _ = store.keep(frame(time, isKey: time % 2 == 0), at: time) }
    let journal = try SessionJournal(new: directory, owner: "o", options: SegmentTests.options)
    let upload = upload(journal)
    #expect(await upload.drain(isOver: true) == .done)
    #expect(await upload.metrics.framesLost == 6)
    #expect(server.steps.filter { $0 == .presign }.count == 1, "nobody is asked again")
    journal.closeAndWait()
  }

  @Test func `a part waits by the session's time, wherever the wall clock has been set`() async throws {
    let store = FrameStore(directory, budget: budget)
    // Years before the wall clock's.
    let start: Int64 = 1_000_000_000_000
    for time in [0, 1000] { _ = store.keep(frame(start + Int64(time), isKey: time == 0), at: start + Int64(time)) }
    let journal = try SessionJournal(new: directory, owner: "o", options: SegmentTests.options)
    journal.append(.replayEvent, line: Data("{}".utf8), at: start)
    let now = Locked(start + 2000)
    let upload = upload(journal) { now.withLock { $0 } }
    #expect(await upload.drain(isOver: false) == .done)
    #expect(server.uploaded.isEmpty, "more may come of this part's time")
    now.withLock { $0 = start + FrameSegments.part + FrameSegments.lateness + 1 }
    #expect(await upload.drain(isOver: false) == .done)
    #expect(server.uploaded.map(\.kind) == ["screenshots", "events"])
    journal.closeAndWait()
  }

  @Test func `a journal that takes nothing is waited for once, and not for each record`() throws {
    let waits = Locked(0)
    var options = SegmentTests.options
    options.wait = { _ in waits.withLock { $0 += 1 } }
    let journal = try SessionJournal(new: directory, owner: "o", options: options)
    #expect(journal.append(.replayEvent, line: Data("{}".utf8), at: 1))
    journal.close()
    for time in Int64(0)..<1000 { #expect(!journal.append(.replayEvent, line: Data("{}".utf8), at: time)) }
    #expect((1...20).contains(waits.withLock { $0 }))
    journal.closeAndWait()
  }
}
