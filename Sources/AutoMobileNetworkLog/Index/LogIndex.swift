import AutoMobileJournal
import Foundation

/// Everything that is known in memory of a log: its segments, and their rows in the order of time.
///
/// Used under the log's lock.
final class LogIndex {
  /// A row, with what it is sorted by first.
  struct Reference {
    var startedAt: Int64
    var segment: UInt32
    var row: UInt32
  }

  /// By number; nil when it is gone.
  private(set) var segments: [LogSegment?] = []
  /// Oldest first.
  private(set) var order: [Reference] = []
  private(set) var names = LogNames()

  let cache: SegmentCache
  private let reader: JournalReader
  private var numbers: [LaunchID: [UInt64: Int]] = [:]

  init(_ directory: NetworkLogDirectory) {
    reader = JournalReader(directory: directory.records)
    cache = SegmentCache(reader)
  }

  /// Takes in what has come and what has gone since the last time.
  func refresh() -> NetworkLogChange {
    let present = reader.segments()
    var change = NetworkLogChange()
    forget(absentFrom: present, &change)
    var added: [Reference] = []
    for (launch, indices) in present {
      var known = numbers[launch] ?? [:]
      for index in indices where known[index] == nil {
        known[index] = segments.count
        segments.append(LogSegment(launch, index))
      }
      numbers[launch] = known
      // From the end, where spares stand, and before them the one that is written.
      var isLast = true
      for (_, number) in known.sorted(by: { $0.key > $1.key }) {
        guard let segment = segments[number] else { continue }
        let frames = segment.frames.count
        let first = segment.rows.count
        segment.readOn(reader, names: &names, isLast: isLast) { reader.mayBeRunning(launch) }
        if segment.isUsed { isLast = false }
        change.frames += segment.frames.count - frames
        for row in first..<max(first, segment.rows.count) {
          added.append(
            Reference(
              startedAt: segment.rows[row].startedAt, segment: UInt32(clamping: number), row: UInt32(clamping: row)))
        }
      }
    }
    change.added = added.count
    insert(added)
    return change
  }

  private func forget(absentFrom present: [LaunchID: [UInt64]], _ change: inout NetworkLogChange) {
    var gone: Set<Int> = []
    for (launch, known) in numbers {
      let indices = Set(present[launch] ?? [])
      for (index, number) in known where !indices.contains(index) {
        gone.insert(number)
        numbers[launch]?[index] = nil
      }
      if numbers[launch]?.isEmpty == true { numbers[launch] = nil }
    }
    guard !gone.isEmpty else { return }
    for number in gone {
      segments[number].map(cache.forget)
      segments[number] = nil
    }
    let before = order.count
    order.removeAll { gone.contains(Int($0.segment)) }
    change.removed = before - order.count
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

  private func precedes(_ one: Reference, _ other: Reference) -> Bool {
    one.startedAt != other.startedAt ? one.startedAt < other.startedAt : id(one) < id(other)
  }

  /// The first place in ``order`` where something holds that holds from there on.
  private func firstIndex(where holds: (Reference) -> Bool) -> Int {
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
    guard number < segments.count, let segment = segments[number], Int(reference.row) < segment.rows.count else {
      return nil
    }
    return (segment, segment.rows[Int(reference.row)])
  }

  private static let noLaunch = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
