import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileReplay

@Suite(.serialized) struct SegmentTests {
  private let temporary: TemporaryDirectory
  private let directory: SessionDirectory
  private let budget = FrameBudget(limit: 100_000)

  init() throws {
    temporary = try TemporaryDirectory()
    directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try directory.make()
  }

  @Test func `each key frame begins a segment, and the last one waits for the end`() throws {
    let store = FrameStore(directory, budget: budget)
    for (time, isKey) in [(1, true), (2, false), (3, false), (4, true), (5, false)] as [(Int64, Bool)] {
      #expect(store.keep(frame(time, isKey: isKey), at: time) != nil)
    }
    let segments = FrameSegments(directory: directory, budget: budget)
    let first = try #require(segments.next(isOver: false, now: 5, after: nil))
    let content = try #require(first.segment?.content)
    #expect(try #require(frames(in: content)).map(\.timestamp) == [1, 2, 3])
    // The same files give the same segment, so a retry is recognised.
    #expect(segments.next(isOver: false, now: 5, after: nil)?.segment?.id == first.segment?.id)
    segments.remove(first.files)
    #expect(segments.next(isOver: false, now: 5, after: nil) == nil)
    #expect(segments.next(isOver: true, now: 5, after: nil)?.segment?.count == 2)
  }

  @Test func `while it grows, a segment is uploaded in parts, which are the same after a restart`() throws {
    let store = FrameStore(directory, budget: budget)
    for time in stride(from: Int64(0), to: 10_000, by: 1000) {
      #expect(store.keep(frame(time, isKey: time == 0), at: time) != nil)
    }
    let segments = FrameSegments(directory: directory, budget: budget)
    func parts(isOver: Bool, now: Int64) throws -> (parts: [Segment], removed: Int) {
      var (parts, growing, removed) = ([Segment](), FrameSegments.Growing?.none, 0)
      while let next = segments.next(isOver: isOver, now: now, after: growing) {
        #expect(next.lost == 0)
        parts += [next.segment].compactMap(\.self)
        growing = next.growing
        removed += next.files.count
        if next.files.count == 10 { break }
      }
      return (parts, removed)
    }
    let live = try parts(isOver: false, now: 9000)
    #expect(
      try live.parts.map { try #require(frames(in: $0.content)).map(\.timestamp) } == [
        [0, 1000, 2000, 3000], [4000, 5000, 6000, 7000],
      ])
    #expect(live.parts.map(\.continues) == [nil, live.parts[0].id])
    #expect(live.removed == 0, "as long as it grows, all of it stays")
    // Nothing comes any more of what was a part's time.
    #expect(try parts(isOver: false, now: 13_001).parts.count == 3)
    let whole = try parts(isOver: true, now: 0)
    #expect(whole.parts.count == 3 && whole.removed == 10)
    #expect(whole.parts.prefix(2).map(\.id) == live.parts.map(\.id))
    #expect(whole.parts.last?.continues == live.parts[0].id)
  }

  @Test func `after a part that is missing, nothing of its segment is uploaded`() throws {
    let store = FrameStore(directory, budget: budget)
    for time in stride(from: Int64(0), to: 12_000, by: 2000) {
      #expect(store.keep(frame(time, isKey: time == 0), at: time) != nil)
    }
    try FileManager.default.removeItem(atPath: directory.path(of: directory.frameFiles()[3]))
    let segments = FrameSegments(directory: directory, budget: budget)
    let first = try #require(segments.next(isOver: true, now: 0, after: nil))
    var second = try #require(segments.next(isOver: true, now: 0, after: first.growing))
    #expect(second.segment?.count == 1, "of the second part one file is gone")
    second.growing?.isBroken = true
    let rest = try #require(segments.next(isOver: true, now: 0, after: second.growing))
    #expect(rest.segment == nil && rest.lost == 2 && rest.files.count == 5)
  }

  @Test func `an id has 32 digits and depends on everything`() {
    let one = Segment(sessionId: "s", kind: .events, startTime: 1, endTime: 2, count: 1, content: Data("a".utf8))
    #expect(one.id.count == 32)
    var ids: Set<String> = [one.id]
    for change: (inout Segment) -> Void in [
      { $0.sessionId = "t" }, { $0.kind = .hierarchy }, { $0.startTime = 0 }, { $0.endTime = 3 },
      { $0.content = Data("b".utf8) },
    ] {
      var other = one
      change(&other)
      ids.insert(other.id)
    }
    #expect(ids.count == 6)
  }

  @Test func `frames beyond the budget are dropped and counted, and the next key frame says so`() throws {
    let store = FrameStore(directory, budget: FrameBudget(limit: 400))
    #expect(store.keep(frame(1), at: 1) != nil)
    #expect(store.keep(frame(2, isKey: false, size: 1000), at: 2) == nil)
    // What follows cannot be shown without it.
    #expect(store.keep(frame(3, isKey: false), at: 3) == nil)
    #expect(store.keep(frame(4), at: 4) != nil)
    #expect(store.counts == FrameStore.Counts(recorded: 2, lost: [.network: 2]))
    let files = directory.frameFiles()
    let bytes = try #require(FileManager.default.contents(atPath: directory.path(of: files[1])))
    let last = try #require(frames(in: bytes)?.first)
    #expect(last.hasGap && last.dropped == 2)
  }

  @Test func `what was being written when the process died is no frame`() throws {
    let store = FrameStore(directory, budget: budget)
    _ = store.keep(frame(1), at: 1)
    for name in ["000000001-2-key.amf.part", "x.amf", "-1-2-key.amf", "1-2-other.amf", "1-2.amf"] {
      try Data("junk".utf8).write(to: directory.frames.appendingPathComponent(name))
    }
    #expect(directory.frameFiles().map(\.timestamp) == [1])
  }

  @Test func `lines are cut by time, and the same after a restart`() throws {
    let options = Self.options
    let journal = try SessionJournal(new: directory, owner: "o", options: options)
    let part = LineSegments.part
    for time in stride(from: Int64(0), to: part * 10, by: 1000) {
      journal.append(.replayEvent, line: Data(#"{"t":\#(time)}"#.utf8), at: time)
      journal.append(.replayHierarchy, line: Data(#"{"h":\#(time)}"#.utf8), at: time)
    }
    let lines = LineSegments(journal: journal, sessionId: directory.id)
    let first = try #require(lines.next(isOver: false, now: 0, after: nil))
    #expect(first.segments.map(\.kind) == [.hierarchy, .events])
    #expect(first.segments.map(\.count) == [4, 4])
    let ids = first.segments.map(\.id)
    journal.closeAndWait()

    let again = try SessionJournal(recovering: directory, owner: "o", options: options)
    let recovered = LineSegments(journal: again, sessionId: directory.id)
    #expect(try #require(recovered.next(isOver: true, now: 0, after: nil)).segments.map(\.id) == ids)
    var (parts, growing) = ([Segment](), LineSegments.Growing?.none)
    while let next = recovered.next(isOver: true, now: 0, after: growing) {
      parts += next.segments.filter { $0.kind == .events }
      growing = next.growing
      recovered.done(next)
    }
    #expect(parts.count == 10)
    // Eight parts are a segment, and the ninth begins the next.
    #expect(parts.map(\.continues) == [nil] + Array(repeating: ids[1], count: 7) + [nil, parts[8].id])
    again.closeAndWait()
  }

  @Test func `a line is uploaded soon after its time, also when no other follows it`() throws {
    let journal = try SessionJournal(new: directory, owner: "o", options: Self.options)
    let lines = LineSegments(journal: journal, sessionId: directory.id)
    let end = LineSegments.part * 3
    journal.append(.replayHierarchy, line: Data(#"{"t":9000}"#.utf8), at: 9000)
    #expect(lines.next(isOver: false, now: end, after: nil) == nil, "its part may get more")
    let first = try #require(lines.next(isOver: false, now: end + LineSegments.lateness + 1, after: nil))
    #expect(first.segments.map(\.count) == [1])
    lines.done(first)
    #expect(lines.next(isOver: true, now: .max, after: first.growing) == nil)
    // One that comes late all the same is not lost.
    journal.append(.replayHierarchy, line: Data(#"{"t":9100}"#.utf8), at: 9100)
    let late = try #require(lines.next(isOver: false, now: .max, after: first.growing))
    #expect(late.segments.map(\.continues) == [first.segments[0].id])
    journal.closeAndWait()
  }

  /// Also where nothing but what is not uploaded stands at the end of one of the journal's segments.
  @Test(arguments: [(18_000, 2000), (100_000, 4000), (200_000, 8000)])
  func `while a session goes on, its journal stays small`(size: Int, every: Int64) throws {
    let journal = try SessionJournal(new: directory, owner: "o", options: Self.options)
    journal.setSession(SessionRecord(id: directory.id, startedAt: 0, isTelemetryOnly: false))
    let lines = LineSegments(journal: journal, sessionId: directory.id)
    let text = Data(#"{"text":"\#(String(repeating: "l", count: size))"}"#.utf8)
    var (growing, added, count, most) = (LineSegments.Growing?.none, 0, 0, 0)
    for time in stride(from: Int64(0), to: 600_000, by: 1000) {
      journal.append(.replayFrame, FrameEntry(name: "000000001-\(time)-delta.amf", bytes: 1))
      if time % every == 0 {
        // Ten minutes in a moment are too fast for the thread that prepares the journal's segments on a busy machine.
        let deadline = Date() + 90
        while !journal.append(.replayHierarchy, line: text, at: time), Date() < deadline { usleep(200) }
        added += 1
      }
      guard time % 5000 == 0 else { continue }
      journal.append(.replayCheckpoint, Checkpoint.none)
      while let next = lines.next(isOver: false, now: time, after: growing) {
        growing = next.growing
        count += next.segments.reduce(0) { $0 + $1.count }
        lines.done(next)
      }
      most = max(most, temporary.files.filter { $0.path.hasSuffix(".journal") }.count)
    }
    #expect(added == 600_000 / every && count >= added - 5 && most <= 8, "\(count) of \(added) lines, \(most) files")
    journal.closeAndWait()
  }

  @Test func `a segment of lines that is too large is halved`() {
    let lines = (0..<5).map { "{\"t\":\($0)}" }
    let content = Data(lines.map { $0 + "\n" }.joined().utf8)
    let whole = Segment(sessionId: "s", kind: .events, startTime: 0, endTime: 4, count: 5, content: content)
    let (first, second) = whole.halves ?? (whole, whole)
    #expect(first.content + second.content == content)
    #expect(first.count + second.count == 5)
    var single = whole
    single.count = 1
    #expect(single.halves == nil)
  }

  @Test func `one segment at a time, whoever asks`() async throws {
    let server = try ReplayServer()
    let store = FrameStore(directory, budget: budget)
    for time in Int64(1)...5 { _ = store.keep(frame(time), at: time) }
    let journal = try SessionJournal(new: directory, owner: "o", options: Self.options)
    let gate = PathGate(wifiOnly: false)
    await gate.note(NetworkPath(isSatisfied: true, isWiFi: true), number: 1)
    let upload = SessionUpload(
      directory, journal: journal, budget: budget, upload: segmentUpload(to: server.url), gate: gate
    ) { _ in }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = await upload.drain(isOver: true) } }
    }
    #expect(server.uploaded.count == 5)
    #expect(
      server.steps.filter { $0 != .auth } == Array(repeating: [.presign, .put, .complete], count: 5).flatMap { $0 })
    #expect(directory.frameFiles().isEmpty)
    #expect(budget.taken == 0)
    journal.closeAndWait()
  }

  @Test func `without Wi-Fi nothing is uploaded when only that is wanted`() async throws {
    let gate = PathGate(wifiOnly: true)
    #expect(await !gate.isOpen)
    await gate.note(NetworkPath(isSatisfied: true, isWiFi: false), number: 1)
    #expect(await !gate.isOpen)
    let waiter = Task { await gate.wait() }
    await gate.note(NetworkPath(isSatisfied: true, isWiFi: true), number: 2)
    await waiter.value
    // One that was overtaken says nothing.
    await gate.note(NetworkPath(isSatisfied: false, isWiFi: false), number: 1)
    #expect(await gate.isOpen)
    let cancelled = PathGate(wifiOnly: false)
    let other = Task { await cancelled.wait() }
    other.cancel()
    await other.value
  }

  static var options: SessionJournalOptions {
    var options = SessionJournalOptions()
    options.freeDiskFloor = 0
    return options
  }
}
