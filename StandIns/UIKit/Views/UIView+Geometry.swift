extension UIView {
  /// Where this view's coordinates begin in those of its window, or of the topmost view when there is none.
  private var origin: CGPoint {
    var origin = CGPoint.zero
    var view: UIView? = self
    while let current = view {
      // A window's own place on the screen is none of its views'.
      if current.superview != nil {
        origin.x += current.frame.origin.x
        origin.y += current.frame.origin.y
      }
      origin.x -= current.bounds.origin.x
      origin.y -= current.bounds.origin.y
      view = current.superview
    }
    return origin
  }

  /// Documentation: *convert(_:to:)*. iOS 2.0.
  public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    let (from, to) = (origin, view?.origin ?? window?.origin ?? .zero)
    return CGPoint(x: point.x + from.x - to.x, y: point.y + from.y - to.y)
  }

  /// Documentation: *convert(_:from:)*. iOS 2.0.
  public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
    let (from, to) = (view?.origin ?? window?.origin ?? .zero, origin)
    return CGPoint(x: point.x + from.x - to.x, y: point.y + from.y - to.y)
  }
}
