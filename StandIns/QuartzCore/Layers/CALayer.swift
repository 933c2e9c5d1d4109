import Foundation

/// Documentation: *CALayer*. iOS 2.0.
open class CALayer: NSObject {
  public required override init() {}

  /// Documentation: *init(layer:)*. iOS 2.0.
  ///
  /// How Core Animation copies a layer for ``presentation()``. Classes that make initializers of their own do not inherit it: see
  /// ``SimulatedWithoutCopies``.
  public init(layer: Any) {
    super.init()
    if let layer = layer as? CALayer { looks = layer.looks }
  }

  /// What is drawn of it, and where.
  package struct Looks {
    /// Before it is transformed, in the superlayer's coordinates.
    package var frame = CGRect.zero
    package var boundsOrigin = CGPoint.zero
    package var opacity: Float = 1
    package var isHidden = false
    package var masksToBounds = false
    package var cornerRadius: CGFloat = 0
    package var transform = CGAffineTransform.identity
    /// How far it is in front of the screen.
    package var depth: CGFloat = 0
    /// Of what is in it: how much nearer things look larger (`m34`).
    package var perspective: CGFloat = 0
  }

  package private(set) var looks = Looks()

  /// Documentation: *frame*. iOS 2.0.
  ///
  /// Of a layer that is transformed, the smallest rectangle around it.
  open var frame: CGRect {
    get {
      looks.transform.isIdentity
        ? looks.frame : CGRect(origin: looks.boundsOrigin, size: looks.frame.size).applying(looks.toSuperlayer)
    }
    set { looks.frame = newValue }
  }
  /// Documentation: *bounds*. iOS 2.0.
  open var bounds: CGRect {
    get { CGRect(origin: looks.boundsOrigin, size: looks.frame.size) }
    set { (looks.boundsOrigin, looks.frame.size) = (newValue.origin, newValue.size) }
  }
  /// Documentation: *opacity*. iOS 2.0.
  open var opacity: Float {
    get { looks.opacity }
    set { looks.opacity = newValue }
  }
  /// Documentation: *isHidden*. iOS 2.0.
  open var isHidden: Bool {
    get { looks.isHidden }
    set { looks.isHidden = newValue }
  }
  /// Documentation: *masksToBounds*. iOS 2.0.
  open var masksToBounds: Bool {
    get { looks.masksToBounds }
    set { looks.masksToBounds = newValue }
  }
  /// Documentation: *cornerRadius*. iOS 2.0.
  open var cornerRadius: CGFloat {
    get { looks.cornerRadius }
    set { looks.cornerRadius = newValue }
  }
  /// Documentation: *affineTransform()*. iOS 2.0.
  open func affineTransform() -> CGAffineTransform { looks.transform }
  /// Documentation: *setAffineTransform(_:)*. iOS 2.0.
  open func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }
  /// Documentation: *transform*. iOS 2.0.
  open var transform = CATransform3DIdentity {
    didSet { (looks.transform, looks.depth) = (transform.flat, transform.m43) }
  }
  /// Documentation: *sublayerTransform*. iOS 2.0.
  ///
  /// Of it, only the perspective is drawn.
  open var sublayerTransform = CATransform3DIdentity {
    didSet { looks.perspective = sublayerTransform.m34 }
  }

  private var storedContents: Any?
  /// What the view that this layer belongs to has drawn into it.
  package var drawnByView: (() -> Any?)?
  /// Documentation: *contents*. iOS 2.0.
  open var contents: Any? {
    get { storedContents ?? drawnByView?() }
    set { storedContents = newValue }
  }

  /// Documentation: *contentsGravity*. iOS 2.0.
  open var contentsGravity = CALayerContentsGravity.resize

  /// Documentation: *shadowOpacity*. iOS 2.0.
  open var shadowOpacity: Float = 0
  /// Documentation: *shadowRadius*. iOS 2.0.
  open var shadowRadius: CGFloat = 3
  /// Documentation: *shadowOffset*. iOS 2.0.
  open var shadowOffset = CGSize(width: 0, height: -3)
  /// Documentation: *shadowColor*. iOS 2.0.
  open var shadowColor: CGColor? = CGColor(red: 0, green: 0, blue: 0, alpha: 1)
  /// Documentation: *shadowPath*. iOS 3.2.
  ///
  /// What has one is drawn without its shadow.
  open var shadowPath: CGPath?

  /// Documentation: *filters*. iOS 2.0.
  open var filters: [Any]?
  /// Documentation: *contentsRect*. iOS 2.0.
  open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
  /// Documentation: *contentsScale*. iOS 4.0.
  open var contentsScale: CGFloat = 1

  /// Documentation: *draw(in:)*. iOS 2.0.
  open func draw(in ctx: CGContext) {}

  /// Animations that were added, until they are removed.
  var attached: [String: CAAnimation] = [:]
  /// What is on the display while an animation runs.
  var animations = Animations()
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

  /// Documentation: *mask*. iOS 3.0.
  open var mask: CALayer?

  /// Documentation: *addSublayer(_:)*. iOS 2.0.
  open func addSublayer(_ layer: CALayer) {
    layer.removeFromSuperlayer()
    layer.parent = self
    if sublayers == nil { sublayers = [layer] } else { sublayers?.append(layer) }
  }

  /// Documentation: *removeFromSuperlayer()*. iOS 2.0.
  open func removeFromSuperlayer() {
    parent?.sublayers?.removeAll { $0 === self }
    parent = nil
  }

  /// Documentation: *presentation()*. iOS 2.0.
  open func presentation() -> Self? {
    guard let shown = shown(committed: looks) else { return nil }
    if self is any SimulatedWithoutCopies {
      fatalError("Use of unimplemented initializer 'init(layer:)' for class '\(String(reflecting: Self.self))'")
    }
    let copy = Self.init()
    copy.transform = transform
    copy.sublayerTransform = sublayerTransform
    copy.looks = shown
    copy.contentsGravity = contentsGravity
    (copy.shadowOpacity, copy.shadowRadius, copy.shadowOffset) = (shadowOpacity, shadowRadius, shadowOffset)
    copy.shadowPath = shadowPath
    copy.model = self
    return copy
  }

  /// How it looks on the display, when this is what the display was told last; nil: it is not there.
  package func shown(committed: Looks) -> Looks? {
    guard !isUncommitted else { return nil }
    var looks = committed
    animations.change(&looks)
    return looks
  }

  /// Documentation: *convert(_:to:)*. iOS 2.0.
  open func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
    let (from, to) = (toTop, l?.toTop ?? .identity)
    return r.applying(to.isIdentity ? from : from.concatenating(to.inverted()))
  }

  /// From this layer's coordinates to those of the topmost layer.
  private var toTop: CGAffineTransform {
    var sum = CGAffineTransform.identity
    var layer: CALayer? = self
    while let current = layer {
      let above = current.superlayer
      // The topmost layer's own place is none of those in it.
      sum = sum.concatenating(
        above == nil
          ? CGAffineTransform(translationX: -current.looks.boundsOrigin.x, y: -current.looks.boundsOrigin.y)
          : current.looks.toSuperlayer)
      layer = above
    }
    return sum
  }
}

extension CALayer.Looks {
  /// Transforms are about the middle, as long as nobody moves the anchor.
  package var toSuperlayer: CGAffineTransform {
    guard !transform.isIdentity else {
      return CGAffineTransform(translationX: frame.origin.x - boundsOrigin.x, y: frame.origin.y - boundsOrigin.y)
    }
    let (x, y) = (frame.size.width / 2, frame.size.height / 2)
    return CGAffineTransform(translationX: -boundsOrigin.x - x, y: -boundsOrigin.y - y).concatenating(transform)
      .concatenating(CGAffineTransform(translationX: frame.origin.x + x, y: frame.origin.y + y))
  }
}

/// Documentation: *CATransformLayer*. iOS 3.0.
///
/// It clips nothing.
open class CATransformLayer: CALayer {}

/// Documentation: *CALayerDelegate*. iOS 10.0.
public protocol CALayerDelegate: NSObjectProtocol {}
