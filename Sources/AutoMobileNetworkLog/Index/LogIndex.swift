import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Everything that is known in memory of a log: its segments, and their rows in the order of time.
///
/// Used under the log's lock.
final class LogIndex {
  /// A row, with what it is sorted by first.
  struct Reference {
    var startedAt: Int64
    var segment: UInt32
    var row: RowNumber
  }

  /// Which of a segment's rows, or which of its beginnings.
  struct RowNumber: Hashable {
    private let bits: UInt32
    private static let mark: UInt32 = 1 << 31

    init(_ row: Int) { bits = UInt32(clamping: row) & ~Self.mark }
    /// - Parameter beginning: the offset of its record's payload.
    init(beginning: UInt32) { bits = beginning | Self.mark }

    var isBeginning: Bool { bits & Self.mark != 0 }
    var index: UInt32 { bits & ~Self.mark }
  }

  /// By number; nil when it is gone.
  private(set) var segments: [LogSegment?] = []
  /// Oldest first.
  var order: [Reference] = []
  var names = LogNames()
  var beginnings = Beginnings()

  let cache: SegmentCache
  private let directory: NetworkLogDirectory
  private let reader: JournalReader
  /// How far the log has been cleared, and the file that said so.
  private var mark = NetworkLogMark()
  private var markBytes: [UInt8] = []
  private var numbers: [LaunchID: [UInt64: Int]] = [:]

  init(_ directory: NetworkLogDirectory) {
    self.directory = directory
    reader = JournalReader(directory: directory.records)
    cache = SegmentCache(reader)
  }

  /// Takes in what has come and what has gone since the last time.
  func refresh() -> NetworkLogChange {
    let present = reader.segments()
    var change = NetworkLogChange()
    forget(absentFrom: present, &change)
    readMark(&change)
    var added: [Reference] = []
    for (launch, indices) in present {
      register(launch, indices)
      var news = LaunchNews()
      read(launch, &news)
      let mayEnd = !beginnings.areOver(launch) && (beginnings.count(launch) > 0 || !news.begun.isEmpty)
      let hasEnded = mayEnd && !reader.mayBeRunning(launch)
      if hasEnded {
        // What the process recorded last may have come after the look before, also in another file.
        register(launch, reader.segments()[launch] ?? [])
        read(launch, &news)
      }
      join(launch, &news, hasEnded: hasEnded, &change)
      added += news.rows
    }
    insert(added)
    dropSurplus(&change)
    return change
  }

  private func register(_ launch: LaunchID, _ indices: [UInt64]) {
    var known = numbers[launch] ?? [:]
    for index in indices where known[index] == nil {
      known[index] = segments.count
      let segment = LogSegment(launch, index)
      _ = segment.clear(upTo: mark[launch, index])
      segments.append(segment)
    }
    numbers[launch] = known
  }

  private func read(_ launch: LaunchID, _ news: inout LaunchNews) {
    // From the end, where spares stand, and before them the one that is written.
    var isLast = true
    for (_, number) in (numbers[launch] ?? [:]).ordered(by: { $0.key > $1.key }) {
      guard let segment = segments[number] else { continue }
      let frames = segment.frames.count
      let first = segment.rows.count
      segment.readOn(reader, names: &names, isLast: isLast) { reader.mayBeRunning(launch) }
      if segment.isUsed { isLast = false }
      news.frames += segment.frames.count - frames
      for row in first..<max(first, segment.rows.count) {
        news.rows.append(
          Reference(startedAt: segment.rows[row].startedAt, segment: UInt32(clamping: number), row: RowNumber(row)))
      }
      // Of two with the same name, the earlier one; it is read later.
      for (key, begun) in segment.takeBegun(from: first) { news.begun[key] = LaunchNews.Begun(number, begun) }
      news.bound()
    }
  }

  /// Whether a segment's file has gone since the last look.
  func isGone(_ segment: LogSegment) -> Bool {
    !(reader.segments()[segment.launch] ?? []).contains(segment.index)
  }

  /// Everything that has been read by now.
  var readSoFar: NetworkLogMark {
    segments.reduce(into: NetworkLogMark()) { mark, segment in
      if let segment { mark.add(segment.launch, segment.index, segment.offset) }
    }
  }

  private func readMark(_ change: inout NetworkLogChange) {
    let bytes = NetworkLogMark.bytes(in: directory)
    guard bytes != markBytes else { return }
    markBytes = bytes
    mark = NetworkLogMark(bytes)
    let removed = segments.reduce(0) { sum, segment in
      sum + (segment.map { $0.clear(upTo: mark[$0.launch, $0.index]) } ?? 0)
    }
    guard removed > 0 else { return }
    order.removeAll { reference in
      segments[Int(reference.segment)].map { segment in
        reference.row.isBeginning
          ? segment.row(reference.row) == nil : Int(reference.row.index) < segment.cleared
      } ?? true
    }
    beginnings.forget { row($0) == nil }
    change.removed += removed
  }

  private func forget(absentFrom present: [LaunchID: [UInt64]], _ change: inout NetworkLogChange) {
    var gone: Set<Int> = []
    for (launch, known) in numbers {
      let indices = Set(present[launch] ?? [])
      for (index, number) in known where !indices.contains(index) {
        gone.insert(number)
        numbers[launch]?[index] = nil
      }
      if numbers[launch]?.isEmpty == true {
        numbers[launch] = nil
        beginnings.forget(launch)
      }
    }
    guard !gone.isEmpty else { return }
    for number in gone {
      segments[number].map(cache.forget)
      segments[number] = nil
    }
    let before = order.count
    order.removeAll { gone.contains(Int($0.segment)) }
    beginnings.forget { gone.contains(Int($0.segment)) }
    change.removed += before - order.count
  }

  /// Requests end in another order than they began in, so what is new belongs near the end, and seldom at it.
  private func insert(_ added: [Reference]) {
    guard !added.isEmpty else { return }
    let added = added.sorted(by: precedes)
    guard let first = added.first else { return }
    var tail = order[firstIndex { !precedes($0, first) }...]
    order.removeLast(tail.count)
    order.reserveCapacity(order.count + tail.count + added.count)
    for reference in added {
      while let next = tail.first, precedes(next, reference) {
        order.append(next)
        tail = tail.dropFirst()
      }
      order.append(reference)
    }
    order.append(contentsOf: tail)
  }

  func precedes(_ one: Reference, _ other: Reference) -> Bool {
    one.startedAt != other.startedAt ? one.startedAt < other.startedAt : id(one) < id(other)
  }

  /// The first place in ``order`` where something holds that holds from there on.
  func firstIndex(where holds: (Reference) -> Bool) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(order[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// How many rows come before this one, whether it is there (still) or not.
  func count(before id: NetworkLogEntry.ID) -> Int { firstIndex { self.id($0) >= id } }

  func reference(_ id: NetworkLogEntry.ID) -> Reference? {
    let index = count(before: id)
    guard index < order.count, self.id(order[index]) == id else { return nil }
    return order[index]
  }

  func id(_ reference: Reference) -> NetworkLogEntry.ID {
    let row = row(reference)
    return NetworkLogEntry.ID(
      startedAt: reference.startedAt, launch: row?.segment.launch ?? LaunchID(uuid: Self.noLaunch),
      position: row?.row.position ?? 0)
  }

  func row(_ reference: Reference) -> (segment: LogSegment, row: LogRow)? {
    let number = Int(reference.segment)
    guard number < segments.count, let segment = segments[number], let row = segment.row(reference.row) else {
      return nil
    }
    return (segment, row)
  }

  private static let noLaunch = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
