import Foundation

/// Gives what overlaps a row: what lies within its parent stands in the parent's row, everything else in one of its own.
///
/// In a row, begins and ends are nested: a reader has nothing but their order to tell which end belongs to which begin. So an end is
/// written when its time has come, the innermost first, and not with its begin.
struct TraceRows {
  /// An end that is to be written.
  struct End {
    var time: Int64
    var row: Int64
    var name: String
    var category: String
    var place: TraceRecords.Place
    fileprivate var span: Data?
    fileprivate var order: Int64
  }

  /// A row that something in it may still be put into.
  private struct Open {
    var row: Int64
    var end: Int64
    /// When the last of its children ended.
    var childrenEnd: Int64
  }

  private var ends: [End] = []
  private var open: [Data: Open] = [:]
  private var rows: Int64 = 0
  private var order: Int64 = 0

  /// Ends that wait; beyond, the first of them are written too early, which readers put right: they sort by time.
  private static let mostWaiting = 20_000

  var isFull: Bool { ends.count >= Self.mostWaiting }

  /// A row for something that lasts from `start` to `end`, and that other things may lie within when it has a name.
  mutating func place(from start: Int64, to end: Int64, named span: Data? = nil, within parent: Data? = nil) -> Int64 {
    var row: Int64
    if let parent, parent != span, let around = open[parent], start >= around.childrenEnd, end <= around.end {
      row = around.row
      open[parent]?.childrenEnd = end
    } else {
      rows += 1
      row = rows
    }
    // Two of one name: the later one's children would stand in the first one's row.
    if let span { open[span] = open[span] == nil ? Open(row: row, end: end, childrenEnd: start) : nil }
    return row
  }

  mutating func add(
    _ row: Int64, until end: Int64, _ name: String, _ category: String, _ place: TraceRecords.Place,
    named span: Data? = nil
  ) {
    order += 1
    ends.append(
      End(time: end, row: row, name: name, category: category, place: place, span: span, order: order))
    rise(ends.count - 1)
  }

  /// The first end until a time, if there is one; nil: whenever it is.
  mutating func next(until time: Int64?) -> End? {
    guard let first = ends.first, time.map({ first.time <= $0 }) ?? true else { return nil }
    let last = ends.removeLast()
    if !ends.isEmpty {
      ends[0] = last
      sink()
    }
    if let span = first.span, open[span]?.row == first.row { open[span] = nil }
    return first
  }

  // MARK: The heap

  /// What began last ends first.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (ends[left].time, -ends[left].order) < (ends[right].time, -ends[right].order)
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, isBefore(index, (index - 1) / 2) {
      ends.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink() {
    var index = 0
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2] where child < ends.count && isBefore(child, first) { first = child }
      if first == index { return }
      ends.swapAt(index, first)
      index = first
    }
  }
}
