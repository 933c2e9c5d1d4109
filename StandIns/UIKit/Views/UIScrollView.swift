/// Documentation: *UIScrollView*. iOS 2.0.
@MainActor open class UIScrollView: UIView {
  nonisolated public override init() {
    super.init()
    MainActor.assumeIsolated { clipsToBounds = true }
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
    clipsToBounds = true
  }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    clipsToBounds = true
  }

  /// Documentation: *contentSize*. iOS 2.0.
  open var contentSize = CGSize.zero
  /// Documentation: *contentOffset*. iOS 2.0.
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds.origin = newValue }
  }
  /// Documentation: *isScrollEnabled*. iOS 2.0.
  open var isScrollEnabled = true
  /// Documentation: *isDecelerating*. iOS 2.0.
  open internal(set) var isDecelerating = false

  /// It still rolls, after somebody pushed it.
  public func simulateDeceleration(_ isRolling: Bool = true) { isDecelerating = isRolling }
}
