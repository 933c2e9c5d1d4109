import AutoMobileJournal
import Foundation

/// Makes segments of a session's lines: one of each kind for each window of time, so that the same records make the same
/// segments, also after a restart.
struct LineSegments: Sendable {
  /// In milliseconds.
  static let window: Int64 = 30_000
  /// What is read of a journal at once, in bytes; a window that is larger is cut there.
  static let smallestRead = 512 << 10
  static let largestRead = 4 << 20

  let journal: SessionJournal
  let sessionId: String

  /// Segments, and how far the journal is done with once they are uploaded.
  struct Next: Sendable {
    var segments: [Segment]
    var launch: LaunchID
    var to: UInt64
  }

  /// The next one; nil when there is none yet.
  ///
  /// - Parameter isOver: nothing will come any more, so the last window is whole.
  func next(isOver: Bool) -> Next? {
    for launch in journal.launches {
      var bytes = Self.smallestRead
      while let chunk = journal.journal.read(launch, maximumBytes: bytes, maximumRecords: 20_000) {
        let isRest = journal.journal.read(launch, maximumBytes: bytes * 2, maximumRecords: 40_000)?.to == chunk.to
        if let next = cut(chunk, takesAll: isOver && isRest) { return next }
        guard !isRest, bytes < Self.largestRead else {
          if !isRest { return cut(chunk, takesAll: true) }
          break
        }
        bytes *= 2
      }
    }
    return nil
  }

  func done(_ next: Next) { journal.journal.acknowledge(next.launch, upTo: next.to) }

  private struct Line {
    var kind: Segment.Kind
    var time: Int64
    var bytes: ArraySlice<UInt8>
  }

  /// The first window of a chunk, if the chunk holds all of it. Lines of an earlier time that came late belong to it.
  private func cut(_ chunk: JournalChunk, takesAll: Bool) -> Next? {
    var lines: [Line] = []
    var end = chunk.to
    var window: Int64?
    for record in chunk.records {
      guard let line = Self.line(record, in: chunk.bytes) else { continue }
      let number = line.time / max(1, Self.window)
      if let first = window, number > first {
        end = record.position
        break
      }
      window = window ?? number
      lines.append(line)
    }
    guard !lines.isEmpty else {
      // Nothing in it is for uploading.
      return takesAll || chunk.records.count > 64 ? Next(segments: [], launch: chunk.launch, to: chunk.to) : nil
    }
    guard end != chunk.to || takesAll else { return nil }
    let segments = [Segment.Kind.hierarchy, .events].compactMap { kind in segment(lines.filter { $0.kind == kind }) }
    return Next(segments: segments, launch: chunk.launch, to: end)
  }

  private func segment(_ lines: [Line]) -> Segment? {
    guard let first = lines.first else { return nil }
    var content = Data()
    for line in lines {
      content.append(contentsOf: line.bytes)
      content.append(0x0A)
    }
    let times = lines.map(\.time)
    return Segment(
      sessionId: sessionId, kind: first.kind, startTime: times.min() ?? first.time, endTime: times.max() ?? first.time,
      count: lines.count, content: content)
  }

  private static func line(_ record: JournalChunk.Record, in bytes: [UInt8]) -> Line? {
    let kind: Segment.Kind
    switch record.kind {
    case .replayHierarchy: kind = .hierarchy
    case .replayEvent: kind = .events
    default: return nil
    }
    let payload = bytes[record.payload]
    guard payload.count > 8 else { return nil }
    let time = payload.prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return Line(kind: kind, time: max(0, time), bytes: payload.dropFirst(8))
  }
}
