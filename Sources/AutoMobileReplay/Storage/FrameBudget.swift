import AutoMobileRecorder
import AutoMobileSupport

/// How much the frames of all sessions together may take on disk. Any thread but the main one: it may look at the disk.
final class FrameBudget: Sendable {
  private struct State {
    var used: Int
    var countedAt: Int64?
  }

  /// In bytes.
  let limit: Int
  private let state: Locked<State>
  private let now: @Sendable () -> Int64
  private let recount: (@Sendable () -> Int)?

  /// What others have uploaded meanwhile is found out so often at most, in milliseconds.
  static let countInterval: Int64 = 10_000

  /// - Parameters:
  ///   - now: milliseconds on a clock that never jumps.
  ///   - recount: what all of them take, as the disk says. Others record and upload there as well: another process, and this one's
  ///     recorder of before.
  init(
    limit: Int = 48 << 20, used: Int = 0, now: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds,
    recount: (@Sendable () -> Int)? = nil
  ) {
    self.limit = max(0, limit)
    self.now = now
    self.recount = recount
    state = Locked(State(used: max(0, recount?() ?? used), countedAt: recount == nil ? nil : now()))
  }

  var taken: Int { state.withLock { $0.used } }

  /// Whether so many bytes may be taken; then they are.
  func take(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard hasRoom(for: bytes, &state) else { return false }
      state.used += bytes
      return true
    }
  }

  func hasRoom(for bytes: Int) -> Bool { state.withLock { hasRoom(for: bytes, &$0) } }

  /// Before anything is refused, the disk is asked.
  private func hasRoom(for bytes: Int, _ state: inout State) -> Bool {
    if bytes <= limit - state.used { return true }
    guard let recount else { return false }
    let time = now()
    if let last = state.countedAt, time.subtracting(saturating: last) < Self.countInterval { return false }
    state.used = max(0, recount())
    state.countedAt = time
    return bytes <= limit - state.used
  }

  func give(back bytes: Int) { state.withLock { $0.used = max(0, $0.used - bytes) } }
}
