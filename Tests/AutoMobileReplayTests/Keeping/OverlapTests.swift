import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// For random recordings and random stretches: what is sent is what overlaps.
@Suite(.serialized) struct `What overlaps a stretch` {
  private struct Recording {
    var keys: [Int64] = []
    var frames: [Int64] = []
    /// By time, whether it is a snapshot of the hierarchy.
    var lines: [(time: Int64, isSnapshot: Bool)] = []
    var end: Int64 = 0
  }

  private static func recording(_ random: inout SystemRandomNumberGenerator) -> Recording {
    var recording = Recording()
    var time: Int64 = 0
    for number in 0..<Int.random(in: 1...40, using: &random) {
      time += Int64.random(in: 1...30_000, using: &random)
      recording.frames.append(time)
      if number == 0 || Int.random(in: 0..<4, using: &random) == 0 { recording.keys.append(time) }
    }
    time = 0
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      time += Int64.random(in: 0...20_000, using: &random)
      recording.lines.append((time, Bool.random(using: &random)))
    }
    recording.end = max(time, recording.frames.last ?? 0) + Int64.random(in: 0...20_000, using: &random)
    return recording
  }

  private static func stretches(_ end: Int64, _ random: inout SystemRandomNumberGenerator) -> [ClosedRange<Int64>] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let from = Int64.random(in: -50_000...end + 50_000, using: &random)
      return from...(from + Int64.random(in: 0...60_000, using: &random))
    }
  }

  @Test func `is sent, whole, once, and nothing else`() throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<40 {
      let temporary = try TemporaryDirectory()
      let directory = SessionDirectory(id: "replay_1_a", in: temporary.url)
      try directory.make()
      let recording = Self.recording(&random)
      var journal = try SessionJournal(new: directory, owner: "o", options: SegmentTests.options)
      let store = FrameStore(directory, budget: FrameBudget())
      for time in recording.frames { _ = store.keep(frame(time, isKey: recording.keys.contains(time)), at: time) }
      for line in recording.lines {
        journal.append(
          line.isSnapshot ? .replayHierarchy : .replayEvent, line: Data(#"{"t":\#(line.time)}"#.utf8), at: line.time)
      }
      var named: [ClosedRange<Int64>] = []
      var (sentFrames, sentLines) = ([Int64](), [Int64]())
      // What is named by and by, by this process and by the next.
      for step in 0..<3 {
        if step == 2 {
          journal.closeAndWait()
          journal = try SessionJournal(recovering: directory, owner: "o", options: SegmentTests.options)
        }
        named += Self.stretches(recording.end, &random)
        try send(directory, journal, named, recording.end, &sentFrames, &sentLines)
        #expect(sentFrames.sorted() == Self.expectedFrames(recording, named), "\(round): \(recording) \(named)")
        #expect(sentLines.sorted() == Self.expectedLines(recording, named), "\(round): \(recording) \(named)")
      }
      journal.closeAndWait()
    }
  }

  private func send(
    _ directory: SessionDirectory, _ journal: SessionJournal, _ named: [ClosedRange<Int64>], _ end: Int64,
    _ sentFrames: inout [Int64], _ sentLines: inout [Int64]
  ) throws {
    let mayGo = MayGo.within(named)
    let segments = FrameSegments(directory: directory, budget: FrameBudget())
    var growing: FrameSegments.Growing?
    while let next = segments.next(isOver: true, now: 0, after: growing, mayGo: mayGo, endedAt: end) {
      if let segment = next.segment {
        let records = try #require(frames(in: segment.content))
        #expect(records.first?.isKey == (segment.continues == nil))
        sentFrames += records.map(\.timestamp)
      }
      growing = next.growing
      segments.remove(next.files)
    }
    let lines = LineSegments(journal: journal, sessionId: directory.id)
    var (index, part) = (LineIndex(), LineSegments.Growing?.none)
    while let next = lines.next(isOver: true, now: 0, after: part, within: mayGo, endedAt: end, &index) {
      for segment in next.segments {
        for line in segment.content.split(separator: 0x0A) {
          sentLines.append(try #require(Int64(String(decoding: line, as: UTF8.self).dropFirst(5).dropLast())))
        }
      }
      part = next.growing
      lines.done(next)
    }
  }

  /// Frames from one key frame to the next are there from then to then.
  private static func expectedFrames(_ recording: Recording, _ named: [ClosedRange<Int64>]) -> [Int64] {
    recording.frames.filter { time in
      let key = recording.keys.last { $0 <= time } ?? 0
      let next = recording.keys.first { $0 > time }
      let end = next.map { $0 - 1 } ?? recording.end
      return named.contains { $0.upperBound >= key && $0.lowerBound <= end }
    }
  }

  /// Lines of a window of 32 seconds go together; a snapshot shows what is there until the next one.
  private static func expectedLines(_ recording: Recording, _ named: [ClosedRange<Int64>]) -> [Int64] {
    recording.lines.map(\.time).filter { time in
      let start = time / 32_000 * 32_000
      var end = start + 31_999
      if recording.lines.contains(where: { $0.isSnapshot && $0.time / 32_000 == time / 32_000 }) {
        let next = recording.lines.first { $0.isSnapshot && $0.time / 32_000 > time / 32_000 }
        end = max(end, next.map { $0.time - 1 } ?? .max)
      }
      end = max(start, min(end, recording.end))
      return named.contains { $0.upperBound >= start && $0.lowerBound <= end }
    }
  }
}
