import AutoMobileRecorder
import AutoMobileSupport
import Dispatch

/// Hands over the screens that were shown in their order: those from before a replay began come first, on a background queue, and what
/// is shown meanwhile comes after them. The app's listeners hear of each, so no lock is held then, and nothing else waits for them.
final class ScreenHandover: Sendable {
  private struct State {
    var isRecording = false
    var early = EarlyScreens()
    /// Screens that come after others, which are being told of right now.
    var waiting: [EarlyScreens.Screen] = []
    var isTelling = false
  }

  /// Of those that wait while the app's listeners take their time; of more, the oldest go.
  static let mostWaiting = 1000

  private let state = Locked(State())
  private let tell: @Sendable (_ name: String, _ time: Int64) -> Void

  /// Whether a screen may be kept for a replay that is still to begin.
  private let mayKeep: @Sendable () -> Bool

  init(
    mayKeep: @escaping @Sendable () -> Bool = { true },
    _ tell: @escaping @Sendable (_ name: String, _ time: Int64) -> Void
  ) {
    self.mayKeep = mayKeep
    self.tell = tell
  }

  var isRecording: Bool { state.withLock { $0.isRecording } }

  func shown(_ name: String, at time: Int64) {
    // Asked without the lock, as it belongs to somebody else.
    let mayKeep = isRecording || mayKeep()
    let isNext = state.withLock { state in
      guard state.isRecording else {
        if mayKeep { state.early.add(name, at: time) }
        return false
      }
      guard state.isTelling else { return true }
      if state.waiting.count >= Self.mostWaiting { state.waiting.removeFirst() }
      state.waiting.append(EarlyScreens.Screen(name: name, time: time))
      return false
    }
    if isNext { tell(name, time) }
  }

  /// A replay begins.
  func begin() {
    let isWanted = state.withLock { state in
      state.isRecording = true
      state.waiting += state.early.takeAll()
      guard !state.isTelling, !state.waiting.isEmpty else { return false }
      state.isTelling = true
      return true
    }
    if isWanted { DispatchQueue.global(qos: .utility).async { self.tellWaiting() } }
  }

  func end() { state.withLock { $0.isRecording = false } }

  /// What was shown before is nobody's any more.
  func forget() {
    state.withLock { state in
      state.early = EarlyScreens()
      state.waiting = []
    }
  }

  private func tellWaiting() {
    while let next = takeNext() { tell(next.name, next.time) }
  }

  private func takeNext() -> EarlyScreens.Screen? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTelling = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
