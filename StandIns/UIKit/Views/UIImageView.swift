import CCairo

/// Documentation: *UIImageView*. iOS 2.0.
@MainActor open class UIImageView: UIView {
  /// Documentation: *image*. iOS 2.0.
  open var image: UIImage?

  open override func draw(_ rect: CGRect) {
    guard let picture = image?.picture, let context = UIGraphicsGetCurrentContext() else { return }
    context.scaleBy(x: rect.width / CGFloat(picture.width), y: rect.height / CGFloat(picture.height))
    cairo_set_source_surface(context.cairo, picture.surface, 0, 0)
    cairo_paint(context.cairo)
  }
}
