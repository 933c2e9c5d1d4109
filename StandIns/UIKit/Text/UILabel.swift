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

  /// Documentation: *text*. iOS 2.0.
  open var text: String?
}
