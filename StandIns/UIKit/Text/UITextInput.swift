/// Documentation: *UITextField*. iOS 2.0.
@MainActor open class UITextField: UIControl {
  /// Documentation: *text*. iOS 2.0.
  open var text: String?
  /// Documentation: *placeholder*. iOS 2.0.
  open var placeholder: String?
  /// Documentation: *isSecureTextEntry*. iOS 2.0.
  open var isSecureTextEntry = false

  /// Documentation: *textDidBeginEditingNotification*. iOS 2.0.
  nonisolated public class var textDidBeginEditingNotification: NSNotification.Name {
    NSNotification.Name("UITextFieldTextDidBeginEditingNotification")
  }
  /// Documentation: *textDidChangeNotification*. iOS 2.0.
  nonisolated public class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextFieldTextDidChangeNotification")
  }
}

/// Documentation: *UITextView*. iOS 2.0.
@MainActor open class UITextView: UIScrollView {
  /// Documentation: *text*. iOS 2.0.
  open var text: String?
  /// Documentation: *isEditable*. iOS 2.0.
  open var isEditable = true
  /// Documentation: *isSecureTextEntry*. iOS 2.0.
  open var isSecureTextEntry = false

  /// Documentation: *textDidBeginEditingNotification*. iOS 2.0.
  nonisolated public class var textDidBeginEditingNotification: NSNotification.Name {
    NSNotification.Name("UITextViewTextDidBeginEditingNotification")
  }
  /// Documentation: *textDidChangeNotification*. iOS 2.0.
  nonisolated public class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextViewTextDidChangeNotification")
  }
}

/// Documentation: *UISearchBar*. iOS 2.0.
@MainActor open class UISearchBar: UIView {
  /// Documentation: *searchTextField*. iOS 13.0.
  public private(set) lazy var searchTextField: UISearchTextField = {
    let field = UISearchTextField()
    field.frame = bounds
    addSubview(field)
    return field
  }()
}

/// Documentation: *UISearchTextField*. iOS 13.0.
@MainActor open class UISearchTextField: UITextField {}

/// Documentation: *UITextInput*. iOS 3.2.
@MainActor public protocol UITextInput: NSObjectProtocol {}

extension UITextField: UITextInput {}
extension UITextView: UITextInput {}
