/// The sizes of a launch's segments, in bytes, by their indices, in ascending order.
///
/// A launch has a few dozen. A dictionary would cost a process that starts half a million instructions, for its type is made when
/// the first one is.
struct SegmentSizes {
  private struct Entry {
    let index: UInt64
    let size: Int
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var keys: [UInt64] { entries.map(\.index) }
  /// All of them together.
  var total: Int { entries.reduce(0) { $0 + $1.size } }

  subscript(index: UInt64) -> Int? {
    get { entries.first { $0.index == index }?.size }
    set {
      let place = entries.firstIndex { $0.index >= index } ?? entries.endIndex
      if place < entries.endIndex, entries[place].index == index { entries.remove(at: place) }
      if let newValue { entries.insert(Entry(index: index, size: newValue), at: place) }
    }
  }
}
