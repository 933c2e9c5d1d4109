import Foundation

/// Documentation: *CALayer*. iOS 2.0.
open class CALayer: NSObject {
  public required override init() {}

  /// Documentation: *frame*. iOS 2.0.
  open var frame = CGRect.zero { didSet { bounds.size = frame.size } }
  /// Documentation: *bounds*. iOS 2.0.
  open var bounds = CGRect.zero
  /// Documentation: *opacity*. iOS 2.0.
  open var opacity: Float = 1
  /// Documentation: *cornerRadius*. iOS 2.0.
  open var cornerRadius: CGFloat = 0

  /// What is on the display while an animation runs.
  var shown: (frame: CGRect, opacity: Float)?
  /// Nothing of this is on the display yet.
  var isUncommitted = false
  /// Whose copy this is.
  private var model: CALayer?

  private weak var parent: CALayer?
  /// Documentation: *superlayer*. iOS 2.0.
  ///
  /// Of a presentation layer, the one above it in the presentation tree.
  open var superlayer: CALayer? { model.map { $0.parent?.presentation() } ?? parent }

  /// Documentation: *delegate*. iOS 2.0.
  open weak var delegate: (any CALayerDelegate)?

  /// Documentation: *sublayers*. iOS 2.0.
  open var sublayers: [CALayer]? {
    didSet {
      oldValue?.forEach { $0.parent = nil }
      sublayers?.forEach { $0.parent = self }
    }
  }

  /// Documentation: *addSublayer(_:)*. iOS 2.0.
  open func addSublayer(_ layer: CALayer) {
    layer.removeFromSuperlayer()
    sublayers = (sublayers ?? []) + [layer]
  }

  /// Documentation: *removeFromSuperlayer()*. iOS 2.0.
  open func removeFromSuperlayer() {
    parent?.sublayers?.removeAll { $0 === self }
  }

  /// Documentation: *presentation()*. iOS 2.0.
  open func presentation() -> Self? {
    guard !isUncommitted else { return nil }
    let copy = Self.init()
    copy.frame = shown?.frame ?? frame
    copy.bounds.origin = bounds.origin
    copy.opacity = shown?.opacity ?? opacity
    copy.cornerRadius = cornerRadius
    copy.model = self
    return copy
  }

  /// Documentation: *convert(_:to:)*. iOS 2.0.
  open func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
    let (from, to) = (origin, l?.origin ?? .zero)
    return r.offsetBy(dx: from.x - to.x, dy: from.y - to.y)
  }

  /// Where this layer's coordinates begin in those of the topmost layer.
  private var origin: CGPoint {
    var origin = CGPoint.zero
    var layer: CALayer? = self
    while let current = layer {
      let above = current.superlayer
      // The topmost layer's own place is none of those in it.
      if above != nil {
        origin.x += current.frame.origin.x
        origin.y += current.frame.origin.y
      }
      origin.x -= current.bounds.origin.x
      origin.y -= current.bounds.origin.y
      layer = above
    }
    return origin
  }
}

/// Documentation: *CALayerDelegate*. iOS 10.0.
public protocol CALayerDelegate: NSObjectProtocol {}
