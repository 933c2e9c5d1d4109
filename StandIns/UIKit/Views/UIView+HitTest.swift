// Methods that subclasses override cannot stand in an extension, so the view asks these.
extension UIView {
  /// The farthest descendant that contains a point, as *hitTest(_:with:)* describes it: views that are hidden, that
  /// take no touches, or whose alpha is below 0.01 are passed over with all that is in them; the last subview is in
  /// front.
  func deepestView(at point: CGPoint, _ event: UIEvent?) -> UIView? {
    guard !isHidden, isUserInteractionEnabled, alpha >= 0.01, self.point(inside: point, with: event) else { return nil }
    for subview in subviews.reversed() {
      let place = CGPoint(
        x: point.x - subview.frame.origin.x + subview.bounds.origin.x,
        y: point.y - subview.frame.origin.y + subview.bounds.origin.y)
      if let hit = subview.hitTest(place, with: event) { return hit }
    }
    return self
  }
}
