/// Ranges of positions whose records a receiver has, although the cursor has not come there: sorted, disjoint, none empty.
///
/// A record is either in one of them as a whole or in none, so whoever asks by a record's position gets an answer for all of it.
struct SentRanges: Equatable, Sendable {
  /// So many at most: what would be more is not read ahead, and waits. Several times what a launch with a mark a second has.
  static let limit = 20_000
  /// So many more for what does not wait: crashes, and what sessions were like.
  static let reserve = 2_000

  private(set) var ranges: [Range<UInt64>] = []

  var isEmpty: Bool { ranges.isEmpty }
  func hasRoom(isUrgent: Bool) -> Bool { ranges.count < Self.limit + (isUrgent ? Self.reserve : 0) }

  func contains(_ position: UInt64) -> Bool {
    let next = firstIndex(endingAfter: position)
    return next < ranges.count && ranges[next].lowerBound <= position
  }

  /// Adds a range, and joins it with those that it touches.
  mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    // The usual case: what is sent next comes after what was sent before.
    if let last = ranges.last, last.upperBound < range.lowerBound { return ranges.append(range) }
    // The first that ends at its beginning or later, so that neighbours are joined.
    let from = range.lowerBound == 0 ? 0 : firstIndex(endingAfter: range.lowerBound &- 1)
    var to = from
    var (low, high) = (range.lowerBound, range.upperBound)
    while to < ranges.count, ranges[to].lowerBound <= high {
      low = min(low, ranges[to].lowerBound)
      high = max(high, ranges[to].upperBound)
      to += 1
    }
    // bounded: `low` and `high` began as a range, and only moved apart.
    ranges.replaceSubrange(from..<to, with: [low..<high])
  }

  /// Forgets what ends at a position or before it: nobody asks for that any more.
  mutating func forget(before position: UInt64) { ranges.removeAll { $0.upperBound <= position } }

  /// The parts of some ranges that are in none of these. Sorted, when those are.
  func missing(of wanted: [Range<UInt64>]) -> [Range<UInt64>] {
    var missing: [Range<UInt64>] = []
    for range in wanted {
      var start = range.lowerBound
      var index = firstIndex(endingAfter: start)
      while index < ranges.count, ranges[index].lowerBound < range.upperBound {
        // bounded: compared just before.
        if start < ranges[index].lowerBound { missing.append(start..<ranges[index].lowerBound) }
        start = max(start, ranges[index].upperBound)
        index += 1
      }
      // bounded: compared just before.
      if start < range.upperBound { missing.append(start..<range.upperBound) }
    }
    return missing
  }

  /// The index of the first range that ends after a position; their count when none does.
  private func firstIndex(endingAfter position: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// What became of the events that were sent ahead of the cursor.
struct AheadCounts: Equatable, Sendable {
  var delivered: UInt64 = 0
  /// Those that the receiver will never take.
  var rejected: UInt64 = 0

  mutating func add(_ other: AheadCounts) {
    delivered = delivered.adding(saturating: other.delivered)
    rejected = rejected.adding(saturating: other.rejected)
  }
}
