import AutoMobileJournal
import Foundation

/// Makes segments of a session's lines: one of each kind for each window of time, in parts of some seconds, so that whoever
/// watches a session that is still recorded sees them as soon as its pictures. The same records make the same parts, also after
/// a restart.
struct LineSegments: Sendable {
  /// So much is one part, in milliseconds.
  static let part: Int64 = 4000
  /// So many parts are one segment.
  static let parts: Int64 = 8
  /// A line is in the journal so long after its time, in milliseconds: later, a part gets no more.
  static let lateness: Int64 = 1000
  /// What is read of a journal at once, in bytes; a window that is larger is cut there.
  static let smallestRead = 512 << 10
  static let largestRead = 4 << 20

  let journal: SessionJournal
  let sessionId: String

  /// The window of which parts are with the collector. After a restart it is not known any more: what is left of the window is
  /// then a segment of its own.
  struct Growing: Sendable, Equatable {
    var window: Int64
    /// The ids of the first parts.
    var heads: [Segment.Kind: String] = [:]
  }

  /// Parts, and how far the journal is done with once they are uploaded.
  struct Next: Sendable {
    var segments: [Segment]
    var launch: LaunchID
    var to: UInt64
    /// What holds of the window once they are.
    var growing: Growing?
    /// They were read where somebody wants them, and not where the journal's cursor stands.
    var isAhead = false
  }

  /// The next one; nil when there is none yet.
  ///
  /// - Parameters:
  ///   - isOver: nothing will come any more, so the last part is whole.
  ///   - now: milliseconds since 1970.
  ///   - growing: of what parts were uploaded before.
  func next(isOver: Bool, now: Int64, after growing: Growing?) -> Next? {
    next(isOver: isOver, now: now, after: growing) { launch, bytes, records in
      journal.journal.read(launch, maximumBytes: bytes, maximumRecords: records)
    }
  }

  /// The next one of the windows that overlap some times; the others stay.
  ///
  /// - Parameters:
  ///   - endedAt: when the session ended; nil: it goes on.
  ///   - index: where the windows are; it is brought up to date, and says whether something could not be read.
  func next(
    isOver: Bool, now: Int64, after growing: Growing?, within mayGo: MayGo, endedAt: Int64?, _ index: inout LineIndex
  ) -> Next? {
    index.look(at: journal)
    let known = index
    for launch in journal.launches {
      // They go last where the journal needs room.
      journal.journal.setWanted(known.ranges(of: launch, mayGo, endedAt: endedAt), of: launch)
    }
    var isHeldUp = known.isHeldUp
    var next = next(isOver: isOver, now: now, after: growing) { launch, bytes, records in
      let read = journal.journal.readAhead(
        launch, in: known.ranges(of: launch, mayGo, endedAt: endedAt), maximumBytes: bytes, maximumRecords: records)
      if case .later = read { isHeldUp = true }
      return read.chunk
    }
    index.isHeldUp = isHeldUp
    next?.isAhead = true
    return next
  }

  /// Whether there is a line that has not been sent, or may be where nothing can be read now.
  func hasMore(_ index: inout LineIndex) -> Bool {
    index.look(at: journal)
    if index.isHeldUp { return true }
    return journal.launches.contains { launch in
      let all = index.ranges(of: launch, .everything, endedAt: nil)
      if case .nothing = journal.journal.readAhead(launch, in: all, maximumBytes: 1, maximumRecords: 1) { return false }
      return true
    }
  }

  private func next(
    isOver: Bool, now: Int64, after growing: Growing?,
    read: (_ launch: LaunchID, _ maximumBytes: Int, _ maximumRecords: Int) -> JournalChunk?
  ) -> Next? {
    for launch in journal.launches {
      var bytes = Self.smallestRead
      while let chunk = read(launch, bytes, 20_000) {
        let isRest = read(launch, bytes * 2, 40_000)?.to == chunk.to
        let wanted: Wanted = !isRest ? .whole : isOver ? .all : .until(now.subtracting(saturating: Self.lateness))
        if let next = cut(chunk, wanted, after: growing) { return next }
        guard !isRest, bytes < Self.largestRead else {
          if !isRest { return cut(chunk, .all, after: growing) }
          break
        }
        bytes *= 2
      }
    }
    return nil
  }

  func done(_ next: Next) {
    if next.isAhead {
      journal.journal.acknowledgeAhead(next.launch, upTo: next.to)
    } else {
      journal.journal.acknowledge(next.launch, upTo: next.to)
    }
  }

  private struct Line {
    var kind: Segment.Kind
    var time: Int64
    var bytes: ArraySlice<UInt8>
  }

  /// When the first part of a chunk is taken.
  private enum Wanted {
    /// When something after it is there.
    case whole
    /// When its time was over then, too.
    case until(Int64)
    case all
  }

  /// The first part of a chunk, if the chunk holds all of it. Lines of an earlier time that came late belong to it.
  private func cut(_ chunk: JournalChunk, _ wanted: Wanted, after growing: Growing?) -> Next? {
    var lines: [Line] = []
    var end = chunk.to
    var part: Int64?
    for record in chunk.records {
      guard let line = Self.line(record, in: chunk.bytes) else { continue }
      let number = line.time / max(1, Self.part)
      if let first = part, number > first {
        end = record.position
        break
      }
      part = part ?? number
      lines.append(line)
    }
    let takesAll = if case .all = wanted { true } else { false }
    guard let part else {
      // Nothing in it is for uploading; what is may come after it, in the journal's next segment.
      return Next(segments: [], launch: chunk.launch, to: chunk.to, growing: growing)
    }
    var isTime = takesAll
    if case .until(let time) = wanted {
      isTime = time > part.adding(saturating: 1).multiplied(saturating: Self.part)
    }
    guard end != chunk.to || isTime else { return nil }
    let window = part / max(1, Self.parts)
    var now = growing?.window == window ? growing ?? Growing(window: window) : Growing(window: window)
    let segments = [Segment.Kind.hierarchy, .events].compactMap { kind -> Segment? in
      var segment = segment(lines.filter { $0.kind == kind })
      segment?.continues = now.heads[kind]
      if let segment, segment.continues == nil { now.heads[kind] = segment.id }
      return segment
    }
    return Next(segments: segments, launch: chunk.launch, to: end, growing: now)
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
    let payload = bytes[record.payload]
    guard let kind = Segment.Kind(lines: record.kind), let time = time(of: payload) else { return nil }
    return Line(kind: kind, time: time, bytes: payload.dropFirst(8))
  }

  /// When a line is from; nil: it is none.
  static func time(of payload: some Collection<UInt8>) -> Int64? {
    guard payload.count > 8 else { return nil }
    return max(0, payload.prefix(8).enumerated().reduce(Int64(0)) { $0 | Int64($1.element) << Int64($1.offset * 8) })
  }
}

extension Segment.Kind {
  /// Of the lines that are records of a kind; nil when they are none.
  init?(lines kind: RecordKind) {
    switch kind {
    case .replayHierarchy: self = .hierarchy
    case .replayEvent: self = .events
    default: return nil
    }
  }
}
