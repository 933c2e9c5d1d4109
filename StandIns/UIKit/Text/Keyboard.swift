extension UIResponder {
  /// Documentation: *keyboardWillShowNotification*. iOS 2.0.
  nonisolated public class var keyboardWillShowNotification: NSNotification.Name {
    NSNotification.Name("UIKeyboardWillShowNotification")
  }
  /// Documentation: *keyboardDidShowNotification*. iOS 2.0.
  nonisolated public class var keyboardDidShowNotification: NSNotification.Name {
    NSNotification.Name("UIKeyboardDidShowNotification")
  }
  /// Documentation: *keyboardWillHideNotification*. iOS 2.0.
  nonisolated public class var keyboardWillHideNotification: NSNotification.Name {
    NSNotification.Name("UIKeyboardWillHideNotification")
  }
  /// Documentation: *keyboardDidHideNotification*. iOS 2.0.
  nonisolated public class var keyboardDidHideNotification: NSNotification.Name {
    NSNotification.Name("UIKeyboardDidHideNotification")
  }
  /// Documentation: *keyboardFrameEndUserInfoKey*. iOS 3.2.
  nonisolated public class var keyboardFrameEndUserInfoKey: String { "UIKeyboardFrameEndUserInfoKey" }
}

extension NSValue {
  /// Documentation: *init(cgRect:)*. iOS 2.0.
  public convenience init(cgRect rect: CGRect) { self.init(rect: rect) }
  /// Documentation: *cgRectValue*. iOS 2.0.
  public var cgRectValue: CGRect { rectValue }
}
