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
<<<<<<< HEAD
    guard let picture = image?.picture, let image, let context = UIGraphicsGetCurrentContext() else { return }
    let place = layer.contentsGravity.place(of: image.size, in: rect)
    context.translateBy(x: place.minX, y: place.minY)
    context.scaleBy(x: place.width / CGFloat(picture.width), y: place.height / CGFloat(picture.height))
    cairo_set_source_surface(context.cairo, picture.surface, 0, 0)
    cairo_paint(context.cairo)
=======
    image?.draw(filling: rect)
>>>>>>> 53e5d4c42f12cf9ccf9d61da1b04e9c7d9c99182
  }
}
