import AutoMobileJournal
import NIOConcurrencyHelpers

/// Which positions of recent launches are durable already, so that a delivery that comes again is answered with the
/// duplicates it holds, and one that brings nothing new is not written again.
///
/// A help only: it forgets (restart, many launches), and the index, which does not, decides what is stored. So it may say of
/// nothing that it is there unless it is.
final class RecentRanges: Sendable {
  /// A launch's name is its app's: another app may have the same.
  struct Name: Hashable {
    var owner: DataOwner
    var launch: LaunchID
  }

  private struct Launch {
    /// Ascending, with gaps between.
    var ranges: [Range<UInt64>] = []
    var used: UInt64 = 0
  }

  private let launches = NIOLockedValueBox<(clock: UInt64, table: [Name: Launch])>((0, [:]))
  private let capacity = 2048
  private let rangesPerLaunch = 2 * PositionRuns.most

  /// Remembers that every record of `launch` in these runs is durable.
  func insert(_ runs: PositionRuns, of launch: Name) {
    guard !runs.ranges.isEmpty else { return }
    launches.withLockedValue { state in
      state.clock += 1
      var entry = state.table[launch] ?? Launch()
      entry.used = state.clock
      for range in runs.ranges { Self.insert(range, into: &entry.ranges) }
      if entry.ranges.count > rangesPerLaunch { entry.ranges.removeFirst(entry.ranges.count - rangesPerLaunch) }
      state.table[launch] = entry
      if state.table.count > capacity {
        let limit = state.clock - UInt64(capacity / 2)
        state.table = state.table.filter { $0.value.used > limit }
      }
    }
  }

  /// Whether every record in these runs is known to be durable; false of none.
  func contains(_ runs: PositionRuns, of launch: Name) -> Bool {
    guard !runs.ranges.isEmpty else { return false }
    return launches.withLockedValue { state in
      guard let known = state.table[launch]?.ranges else { return false }
      var place = known.startIndex
      return runs.ranges.allSatisfy { run in
        while place < known.endIndex, known[place].upperBound < run.upperBound { place += 1 }
        return place < known.endIndex && known[place].lowerBound <= run.lowerBound
      }
    }
  }

  /// Joins it with those that it touches: they lie one after the other.
  private static func insert(_ range: Range<UInt64>, into ranges: inout [Range<UInt64>]) {
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    var (end, merged) = (first, range)
    while end < ranges.endIndex, ranges[end].lowerBound <= range.upperBound {
      merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
  }
}
