extension UIView {
  /// Documentation: *UIView.ContentMode*. iOS 2.0.
  public enum ContentMode: Int, Sendable {
    case scaleToFill
    case scaleAspectFit
    case scaleAspectFill
    case redraw
    case center
    case top
    case bottom
    case left
    case right

    var gravity: CALayerContentsGravity {
      switch self {
      case .scaleToFill, .redraw: .resize
      case .scaleAspectFit: .resizeAspect
      case .scaleAspectFill: .resizeAspectFill
      case .center: .center
      case .top: .top
      case .bottom: .bottom
      case .left: .left
      case .right: .right
      }
    }
  }

  /// Documentation: *contentMode*. iOS 2.0.
  public var contentMode: ContentMode {
    get { storedContentMode }
    set {
      storedContentMode = newValue
      layer.contentsGravity = newValue.gravity
    }
  }
}

extension CALayerContentsGravity {
  /// Where an image of a size is drawn.
  func place(of size: CGSize, in bounds: CGRect) -> CGRect {
    var size = size
    switch self {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
      let (x, y) = (bounds.width / size.width, bounds.height / size.height)
      let scale = self == .resizeAspect ? min(x, y) : max(x, y)
      size = CGSize(width: size.width * scale, height: size.height * scale)
    default: break
    }
    var place = CGRect(
      x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2, width: size.width, height: size.height)
    if self == .left { place.origin.x = bounds.minX }
    if self == .right { place.origin.x = bounds.maxX - size.width }
    if self == .top { place.origin.y = bounds.minY }
    if self == .bottom { place.origin.y = bounds.maxY - size.height }
    return place
  }

  /// What sticks out of the layer is drawn.
  var overflows: Bool { self != .resize && self != .resizeAspect }
}
