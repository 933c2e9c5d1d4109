import CCairo

/// Documentation: *UIImageView*. iOS 2.0.
@MainActor open class UIImageView: UIView {
  /// Documentation: *image*. iOS 2.0.
  open var image: UIImage?

  open override func draw(_ rect: CGRect) {
    image?.draw(filling: rect)
  }
}
