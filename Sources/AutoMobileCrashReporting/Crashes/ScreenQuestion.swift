import AutoMobileRecorder
import AutoMobileSupport
import Dispatch

/// Asks the app what it calls the screen that it is on, so that a crash handler, which cannot ask, finds an answer.
///
/// The app is asked on the main thread, where it may look at its own views: one question after the other, and none while the last one
/// is open. Any thread.
final class ScreenQuestion: Sendable {
  private struct State {
    var provider: (@Sendable () -> String?)?
    var isOpen = false
    var isResting = false
  }

  private let state = Locked(State())
  private let onMain: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let note: @Sendable (String?) -> Void

  /// - Parameters:
  ///   - onMain: has a closure called on the main thread, soon.
  ///   - note: told each answer, and nil when there is nobody to ask any more. On the main thread, or the caller's.
  init(
    onMain: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { body in DispatchQueue.main.async { body() }
    },
    note: @escaping @Sendable (String?) -> Void
  ) {
    self.onMain = onMain
    self.note = note
  }

  /// Whether there is anything to ask from time to time.
  var isWanted: Bool { state.withLock { $0.provider != nil && !$0.isResting } }

  func setProvider(_ provider: (@Sendable () -> String?)?) {
    let before = state.withLock { state in
      defer { state.provider = provider }
      return state.provider
    }
    if provider == nil, before != nil { note(nil) }
    withExtendedLifetime(before) {}
  }

  /// Asks nothing for now, or goes on.
  func setResting(_ isResting: Bool) { state.withLock { $0.isResting = isResting } }

  /// Asks, unless the last question has not been answered yet. Returns at once.
  func ask() {
    let mayAsk = state.withLock { state in
      guard state.provider != nil, !state.isResting, !state.isOpen else { return false }
      state.isOpen = true
      return true
    }
    guard mayAsk else { return }
    onMain { [weak self] in self?.askNow() }
  }

  private func askNow() {
    let provider = state.withLock { state in
      state.isOpen = false
      return state.isResting ? nil : state.provider
    }
    guard let provider, Self.isInForeground else { return }
    note(ErrorBarrier.run(.currentScreenProvider, or: nil, provider))
  }
}

#if !canImport(UIKit) || os(watchOS)
extension ScreenQuestion {
  /// Nobody says here when an app is seen.
  static var isInForeground: Bool { true }
}
#endif
