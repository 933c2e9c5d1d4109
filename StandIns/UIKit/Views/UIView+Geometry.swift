extension UIView {
  /// Documentation: *convert(_:to:)*. iOS 2.0.
  public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    layer.convert(CGRect(origin: point, size: .zero), to: (view ?? window)?.layer).origin
  }

  /// Documentation: *convert(_:from:)*. iOS 2.0.
  public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
    // What has no view is the topmost one's.
    let point = CGRect(origin: point, size: .zero)
    guard let from = view ?? window else { return convert(point.origin, to: self) }
    return from.layer.convert(point, to: layer).origin
  }
}
