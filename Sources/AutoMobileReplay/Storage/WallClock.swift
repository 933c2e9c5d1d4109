import AutoMobileJournal
import AutoMobileSupport

/// Counts how often the wall clock has been set back, by one that does not jump: as events show it, see `ClockTurns`.
///
/// There is one for all replays of a process, from the first on. What was done to the clock before is not counted: of such a launch rules
/// have come to a greater number, and less is sent.
final class WallClock: Sendable {
  /// In milliseconds. A clock that is corrected by less is taken to go on.
  static let tolerance: Int64 = 10_000

  struct Count: Sendable, Equatable {
    var number = 0
    /// The latest time that it had shown before it was set back; nil: it never was.
    var end: Int64?
  }

  private struct State {
    var count = Count()
    var last: ReplayMoment?
    /// When it was last set back; nil: that time has come again.
    var before: Int64?
  }
  private let state = Locked(State())

  /// Any thread.
  @discardableResult
  func note(_ moment: ReplayMoment) -> Count {
    state.withLock { state in
      guard let last = state.last else {
        state.last = moment
        return state.count
      }
      // Another thread was faster.
      guard moment.steady >= last.steady else { return state.count }
      state.last = moment
      let expected = last.wall.adding(saturating: moment.since(last))
      if expected.subtracting(saturating: moment.wall) > Self.tolerance {
        state.before = expected
        state.count.number += 1
        state.count.end = max(state.count.end ?? .min, expected)
      } else if let before = state.before, moment.wall >= before.subtracting(saturating: Self.tolerance) {
        state.before = nil
        // It was set right again. Else that time has come a second time, as it does.
        if moment.wall.subtracting(saturating: expected) > Self.tolerance {
          state.count.number = max(0, state.count.number - 1)
        }
      }
      return state.count
    }
  }
}
