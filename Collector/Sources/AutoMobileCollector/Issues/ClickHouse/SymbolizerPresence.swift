import AutoMobileState
import NIOConcurrencyHelpers

/// That a collector is there which has a symbolizer and can look at reports: who looks at one first names its issue, and says it best
/// with its symbols. In the state, by the clocks of collectors.
final class SymbolizerPresence: Sendable {
  private static let name = "issue symbolizer"
  /// Milliseconds after which it is told again, and for which it holds.
  private static let every: Int64 = 30_000
  private static let lasts: Int64 = 120_000
  private let told = NIOLockedValueBox<Int64?>(nil)

  /// This one has. On a thread of the collector's own, as ``isTold(in:)``.
  func tell(in state: any StateStore) throws {
    let now = WallClock.now
    // A clock that was set back tells at once.
    if let last = told.withLockedValue({ $0 }), last <= now, now - last < Self.every { return }
    try state.writeNow { try StateSetting.write(Self.name, "", by: "", at: now, in: $0) }
    told.withLockedValue { $0 = now }
  }

  /// Whether another one has.
  func isTold(in state: any StateStore) throws -> Bool {
    let at: Int64? = try state.readNow { state in try StateSetting.row(Self.name, in: state).map { try $0[1] } }
    return at.map { abs(WallClock.now - $0) < Self.lasts } ?? false
  }
}
