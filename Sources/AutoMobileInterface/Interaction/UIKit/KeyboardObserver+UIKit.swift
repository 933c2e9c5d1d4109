#if canImport(UIKit) && !os(watchOS)
import AutoMobileSupport
import AutoMobileRecorder
import UIKit

/// Knows where the keyboard is, and tells the tracker when it comes, goes, or is typed on.
final class KeyboardObserver: Sendable {
  private let observations: NotificationObservations
  /// On the screen, while it is there. Notifications come on the main thread.
  private let frame = Locked<CGRect?>(nil)

  init(_ tracker: AutoMobileInteractionTracker, center: NotificationCenter = .default) {
    observations = NotificationObservations(center)
    for name in [
      UIResponder.keyboardWillShowNotification, UIResponder.keyboardWillHideNotification,
      UITextField.textDidBeginEditingNotification, UITextField.textDidChangeNotification,
      UITextView.textDidBeginEditingNotification, UITextView.textDidChangeNotification,
    ] {
      observations.add(name, at: .interaction) { tracker.noteResponse() }
    }
    let frame = frame
    observations.add(UIResponder.keyboardDidHideNotification, at: .interaction) { frame.withLock { $0 = nil } }
    let key = UIResponder.keyboardFrameEndUserInfoKey
    observations.add(
      UIResponder.keyboardDidShowNotification, at: .interaction,
      reading: { notification in
        let value = notification.userInfo?[key] as? NSValue
        frame.withLock { $0 = value?.cgRectValue }
      })
  }

  /// Whether the keyboard is over a place in a window.
  @MainActor func covers(_ place: CGPoint, in window: UIWindow) -> Bool {
    guard let frame = frame.withLock({ $0 }) else { return false }
    return window.convert(frame, from: nil).contains(place)
  }
}
#endif
