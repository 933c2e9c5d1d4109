import AutoMobileJournal
import NIOConcurrencyHelpers

/// Which positions of recent launches are durable already, so that a delivery that comes again is answered with the
/// duplicates it holds, and one that brings nothing new is not written again.
///
/// A help only: it forgets (restart, many launches), and the index, which does not, decides what is stored.
final class RecentRanges: Sendable {
  /// A launch's name is its app's: another app may have the same.
  struct Name: Hashable {
    var owner: DataOwner
    var launch: LaunchID
  }

  private struct Launch {
    /// Ascending, disjoint.
    var ranges: [ClosedRange<UInt64>] = []
    var used: UInt64 = 0
  }

  private let launches = NIOLockedValueBox<(clock: UInt64, table: [Name: Launch])>((0, [:]))
  private let capacity = 2048
  private let rangesPerLaunch = 64

  /// Remembers that everything of `launch` in `range` is durable.
  func insert(_ range: ClosedRange<UInt64>, of launch: Name) {
    launches.withLockedValue { state in
      state.clock += 1
      var entry = state.table[launch] ?? Launch()
      entry.used = state.clock
      Self.insert(range, into: &entry.ranges)
      if entry.ranges.count > rangesPerLaunch { entry.ranges.removeFirst() }
      state.table[launch] = entry
      if state.table.count > capacity {
        let limit = state.clock - UInt64(capacity / 2)
        state.table = state.table.filter { $0.value.used > limit }
      }
    }
  }

  /// Whether all of `range` is known to be durable.
  func contains(_ range: ClosedRange<UInt64>, of launch: Name) -> Bool {
    launches.withLockedValue { state in
      state.table[launch]?.ranges.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        ?? false
    }
  }

  private static func insert(_ range: ClosedRange<UInt64>, into ranges: inout [ClosedRange<UInt64>]) {
    var merged = range
    var kept: [ClosedRange<UInt64>] = []
    for other in ranges {
      if other.overlaps(merged) {
        merged = min(other.lowerBound, merged.lowerBound)...max(other.upperBound, merged.upperBound)
      } else {
        kept.append(other)
      }
    }
    kept.append(merged)
    ranges = kept.sorted { $0.lowerBound < $1.lowerBound }
  }
}
