import Foundation

/// Documentation: *UITextField*. iOS 2.0.
@MainActor open class UITextField: UIControl {
  /// Documentation: *text*. iOS 2.0.
  open var text: String?
  /// Documentation: *textColor*. iOS 2.0.
  open var textColor: UIColor?
  /// Documentation: *placeholder*. iOS 2.0.
  open var placeholder: String?
  /// Documentation: *isSecureTextEntry*. iOS 2.0.
  open var isSecureTextEntry = false
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *textContentType*. iOS 10.0.
  open var textContentType: UITextContentType!

  open override func draw(_ rect: CGRect) {
    let isEmpty = text?.isEmpty != false
    UIGraphicsGetCurrentContext()?.draw(
      isEmpty ? placeholder : shownText, in: rect.insetBy(dx: 8, dy: 0), font: .systemFont(ofSize: 17),
      color: isEmpty ? .gray : textColor ?? .black)
  }

  /// Documentation: *textDidBeginEditingNotification*. iOS 2.0.
  nonisolated public class var textDidBeginEditingNotification: NSNotification.Name {
    NSNotification.Name("UITextFieldTextDidBeginEditingNotification")
  }
  /// Documentation: *textDidChangeNotification*. iOS 2.0.
  nonisolated public class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextFieldTextDidChangeNotification")
  }
}

extension UITextField {
  /// What a person sees in it: of secure text, a dot for each character.
  var shownText: String? { isSecureTextEntry ? text.map { String(repeating: "•", count: $0.count) } : text }
}

/// Documentation: *UITextView*. iOS 2.0.
@MainActor open class UITextView: UIScrollView {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *text*. iOS 2.0.
  ///
  /// Set to nil, it is empty.
  open var text: String! = "" {
    didSet {
      if text == nil { text = "" }
      styled = nil
    }
  }
  /// Documentation: *textColor*. iOS 2.0.
  open var textColor: UIColor?
  /// Documentation: *isEditable*. iOS 2.0.
  open var isEditable = true
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *attributedText*. iOS 6.0.
  open var attributedText: NSAttributedString! {
    get { styled ?? NSAttributedString(string: text ?? "") }
    set {
      text = newValue?.string
      styled = newValue
    }
  }
  private var styled: NSAttributedString?
  /// Documentation: *isSecureTextEntry*. iOS 2.0.
  open var isSecureTextEntry = false
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *textContentType*. iOS 10.0.
  open var textContentType: UITextContentType!

  open override func draw(_ rect: CGRect) {
    UIGraphicsGetCurrentContext()?.draw(
      text, in: rect.insetBy(dx: 5, dy: 8), font: .systemFont(ofSize: 17), color: textColor ?? .black)
    styled?.drawAttachments(in: rect)
  }

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

/// Documentation: *UITextInputTraits*. iOS 2.0.
///
/// Its requirements are optional.
@MainActor public protocol UITextInputTraits: NSObjectProtocol {
  /// Documentation: *isSecureTextEntry*. iOS 2.0.
  var isSecureTextEntry: Bool { get set }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *textContentType*. iOS 10.0.
  var textContentType: UITextContentType! { get set }
}

extension UITextInputTraits {
  public var isSecureTextEntry: Bool {
    get { false }
    set {}
  }
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var textContentType: UITextContentType! {
    get { nil }
    set {}
  }
}

/// Documentation: *UIKeyInput*. iOS 3.2.
@MainActor public protocol UIKeyInput: UITextInputTraits {}

/// Documentation: *UITextInput*. iOS 3.2.
@MainActor public protocol UITextInput: UIKeyInput {}

extension UITextField: UITextInput {}
extension UITextView: UITextInput {}
