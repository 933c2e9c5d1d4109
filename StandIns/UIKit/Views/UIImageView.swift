import CCairo

/// Documentation: *UIImageView*. iOS 2.0.
@MainActor open class UIImageView: UIView {
  /// Documentation: *image*. iOS 2.0.
  open var image: UIImage?
  /// Documentation: *highlightedImage*. iOS 3.0.
  open var highlightedImage: UIImage?
  /// Documentation: *animationImages*. iOS 2.0.
  open var animationImages: [UIImage]?
  /// Documentation: *highlightedAnimationImages*. iOS 3.0.
  open var highlightedAnimationImages: [UIImage]?

  open override func draw(_ rect: CGRect) {
    if let image { image.draw(filling: layer.contentsGravity.place(of: image.size, in: rect)) }
  }
}
