/// The keyboard, which comes and goes with the notifications in the order that the documentation gives them.
@MainActor public enum SimulatedKeyboard {
  private static let window = UIRemoteKeyboardWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))

  /// It comes up, and covers this part of the screen.
  public static func simulateShow(covering frame: CGRect) {
    post(UIResponder.keyboardWillShowNotification, frame)
    post(UIResponder.keyboardDidShowNotification, frame)
  }

  public static func simulateHide(from frame: CGRect) {
    let below = frame.offsetBy(dx: 0, dy: frame.height)
    post(UIResponder.keyboardWillHideNotification, below)
    post(UIResponder.keyboardDidHideNotification, below)
  }

  /// Somebody types: keys are in a window of the system's own.
  public static func simulateKey(at place: CGPoint, time: TimeInterval) { window.simulateTap(at: place, time: time) }

  private static func post(_ name: NSNotification.Name, _ frame: CGRect) {
    NotificationCenter.default.post(
      name: name, object: nil, userInfo: [UIResponder.keyboardFrameEndUserInfoKey: NSValue(cgRect: frame)])
  }
}

/// The system's window for the keyboard, by the name that it has there. No documentation has it.
final class UIRemoteKeyboardWindow: UIWindow {}

extension UITextField {
  /// Somebody puts the cursor into the field.
  public func simulateEditing() { post(Self.textDidBeginEditingNotification) }

  /// Somebody types into it.
  public func simulateTyping(_ text: String) {
    self.text = (self.text ?? "") + text
    post(Self.textDidChangeNotification)
  }

  private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

extension UITextView {
  /// Somebody types into it.
  public func simulateTyping(_ text: String) {
    self.text = (self.text ?? "") + text
    NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
  }
}
