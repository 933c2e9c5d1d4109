import CCairo
import Foundation

extension UIView {
  /// Documentation: *drawHierarchy(in:afterScreenUpdates:)*. iOS 7.0.
  ///
  /// As it is on the display: where animations have come to, and without what the display has not been told yet. What is not
  /// on the screen has no image to show, and `false` says also that one view of many had none.
  @discardableResult
  public func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool {
    guard let context = UIGraphicsGetCurrentContext(), bounds.width > 0, bounds.height > 0 else { return false }
    guard let displayed = afterUpdates ? Displayed(layer, records: false) : SimulatedTurn.displayed(self) else {
      return false
    }
    cairo_save(context.cairo)
    context.translateBy(x: rect.minX, y: rect.minY)
    context.scaleBy(x: rect.width / bounds.width, y: rect.height / bounds.height)
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    displayed.drawContents(context)
    cairo_restore(context.cairo)
    return !isImageMissing
  }

  private var isImageMissing: Bool { simulatesMissingImage || subviews.contains(where: \.isImageMissing) }
}

extension CGContext {
  func fill(_ rect: CGRect, radius: CGFloat) {
    guard radius > 0 else { return fill(rect) }
    path(rect, radius)
    cairo_fill(cairo)
  }

  func clip(_ rect: CGRect, radius: CGFloat) {
    path(rect, radius)
    cairo_clip(cairo)
  }

  private func path(_ rect: CGRect, _ radius: CGFloat) {
    let radius = Double(min(radius, rect.width / 2, rect.height / 2))
    let (left, top) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    cairo_new_path(cairo)
    guard radius > 0 else { return cairo_rectangle(cairo, left, top, right - left, bottom - top) }
    cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
    cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
    cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
    cairo_arc(cairo, left + radius, top + radius, radius, .pi, .pi * 3 / 2)
    cairo_close_path(cairo)
  }
}
