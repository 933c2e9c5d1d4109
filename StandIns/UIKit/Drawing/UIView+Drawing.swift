import CCairo
import Foundation

extension UIView {
  /// Documentation: *drawHierarchy(in:afterScreenUpdates:)*. iOS 7.0.
  ///
  /// As it is on the display: where animations have come to.
  @discardableResult
  public func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool {
    guard let context = UIGraphicsGetCurrentContext(), bounds.width > 0, bounds.height > 0 else { return false }
    cairo_save(context.cairo)
    context.translateBy(x: rect.minX, y: rect.minY)
    context.scaleBy(x: rect.width / bounds.width, y: rect.height / bounds.height)
    drawContents(context, size: bounds.size)
    cairo_restore(context.cairo)
    return true
  }

  /// This view where it is in its superview's coordinates, and what is in it.
  private func drawInSuperview(_ context: CGContext) {
    guard !isHidden, alpha > 0, let shown = layer.presentation(), shown.opacity > 0 else { return }
    cairo_save(context.cairo)
    context.translateBy(x: shown.frame.minX, y: shown.frame.minY)
    let opacity = Double(alpha) * Double(shown.opacity)
    if opacity < 1 { cairo_push_group(context.cairo) }
    drawContents(context, size: shown.frame.size)
    if opacity < 1 {
      cairo_pop_group_to_source(context.cairo)
      cairo_paint_with_alpha(context.cairo, opacity)
    }
    cairo_restore(context.cairo)
  }

  private func drawContents(_ context: CGContext, size: CGSize) {
    let area = CGRect(origin: .zero, size: size)
    if clipsToBounds {
      cairo_rectangle(context.cairo, 0, 0, Double(size.width), Double(size.height))
      cairo_clip(context.cairo)
    }
    if let backgroundColor {
      backgroundColor.select(context)
      context.fill(area, radius: layer.cornerRadius)
    }
    cairo_save(context.cairo)
    draw(area)
    cairo_restore(context.cairo)
    context.translateBy(x: -bounds.origin.x, y: -bounds.origin.y)
    for subview in subviews { subview.drawInSuperview(context) }
  }
}

extension CGContext {
  func fill(_ rect: CGRect, radius: CGFloat) {
    let radius = Double(min(radius, rect.width / 2, rect.height / 2))
    guard radius > 0 else { return fill(rect) }
    let (left, top) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    cairo_new_path(cairo)
    cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
    cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
    cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
    cairo_arc(cairo, left + radius, top + radius, radius, .pi, .pi * 3 / 2)
    cairo_close_path(cairo)
    cairo_fill(cairo)
  }
}
