import Foundation

/// Documentation: *UILabel*. iOS 2.0.
@MainActor open class UILabel: UIView {
  nonisolated public override init() {
    super.init()
    MainActor.assumeIsolated { isUserInteractionEnabled = false }
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
    // A label lets touches through, unless it is told otherwise.
    isUserInteractionEnabled = false
  }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    isUserInteractionEnabled = false
  }

  /// Documentation: *text*. iOS 2.0.
  open var text: String? {
    didSet { styled = nil }
  }
  /// Documentation: *attributedText*. iOS 6.0.
  open var attributedText: NSAttributedString? {
    get { styled ?? text.map { NSAttributedString(string: $0) } }
    set {
      text = newValue?.string
      styled = newValue
    }
  }
  private var styled: NSAttributedString?

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *font*. iOS 2.0.
  open var font: UIFont! = .systemFont(ofSize: 17)
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Documentation: *textColor*. iOS 2.0.
  open var textColor: UIColor! = .black

  open override func sizeThatFits(_ size: CGSize) -> CGSize { font.size(of: text ?? "", width: size.width) }

  open override func draw(_ rect: CGRect) {
    UIGraphicsGetCurrentContext()?.draw(text, in: rect, font: font, color: textColor)
    styled?.drawAttachments(in: rect)
  }
}
