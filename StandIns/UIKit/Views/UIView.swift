@_exported import QuartzCore

/// Documentation: *UIView*. iOS 2.0.
@MainActor open class UIView: UIResponder, CALayerDelegate {
  // Kept apart, so that a view can be made by whoever is not on the main actor, as NSObject's `init` has it.
  private var storedFrame = CGRect.zero
  private var storedBounds = CGRect.zero
  var storedContentMode = ContentMode.scaleToFill

  nonisolated public override init() { super.init() }

  /// Documentation: *init(frame:)*. iOS 2.0.
  public init(frame: CGRect) {
    super.init()
    self.frame = frame
  }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) { super.init() }

  /// Documentation: *layer*. iOS 2.0.
  public private(set) lazy var layer: CALayer = {
    let layer = (Self.layerClass as? CALayer.Type ?? CALayer.self).init()
    layer.delegate = self
    layer.drawnByView = { [weak self] in
      let hasDrawn = MainActor.assumeIsolated { self?.hasDrawn == true }
      return hasDrawn ? true : nil
    }
    return layer
  }()
  /// Documentation: *layerClass*. iOS 2.0.
  open class var layerClass: AnyClass { CALayer.self }

  /// Documentation: *frame*. iOS 2.0.
  open var frame: CGRect {
    get { storedFrame }
    set {
      storedFrame = newValue
      storedBounds.size = newValue.size
      layer.frame = newValue
    }
  }

  /// Documentation: *bounds*. iOS 2.0.
  open var bounds: CGRect {
    get { storedBounds }
    set {
      storedFrame.size = newValue.size
      storedBounds = newValue
      layer.frame.size = newValue.size
      layer.bounds.origin = newValue.origin
    }
  }

  /// Documentation: *isHidden*. iOS 2.0.
  open var isHidden: Bool {
    get { layer.isHidden }
    set { layer.isHidden = newValue }
  }
  /// Documentation: *alpha*. iOS 2.0.
  open var alpha: CGFloat {
    get { CGFloat(layer.opacity) }
    set { layer.opacity = Float(newValue) }
  }
  /// Documentation: *transform*. iOS 2.0.
  open var transform: CGAffineTransform {
    get { layer.affineTransform() }
    set { layer.setAffineTransform(newValue) }
  }
  /// Documentation: *backgroundColor*. iOS 2.0.
  open var backgroundColor: UIColor?
  /// Documentation: *clipsToBounds*. iOS 2.0.
  open var clipsToBounds: Bool {
    get { layer.masksToBounds }
    set { layer.masksToBounds = newValue }
  }
  /// Documentation: *mask*. iOS 8.0.
  open var mask: UIView? {
    didSet { layer.mask = mask?.layer }
  }
  /// Documentation: *isUserInteractionEnabled*. iOS 2.0.
  open var isUserInteractionEnabled = true

  /// Documentation: *accessibilityIdentifier*. iOS 5.0.
  open var accessibilityIdentifier: String?
  /// Documentation: *accessibilityLabel*. iOS 3.0.
  open var accessibilityLabel: String?
  /// Documentation: *accessibilityTraits*. iOS 3.0.
  open var accessibilityTraits = UIAccessibilityTraits.none

  // MARK: The tree

  /// Documentation: *subviews*. iOS 2.0.
  open internal(set) var subviews: [UIView] = []
  /// Documentation: *superview*. iOS 2.0.
  open internal(set) weak var superview: UIView?

  /// Documentation: *window*. iOS 2.0.
  open var window: UIWindow? {
    var view: UIView? = self
    while let current = view {
      if let window = current as? UIWindow { return window }
      view = current.superview
    }
    return nil
  }

  /// Documentation: *addSubview(_:)*. iOS 2.0.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    layer.addSublayer(view.layer)
  }

  /// Documentation: *removeFromSuperview()*. iOS 2.0.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
    layer.removeFromSuperlayer()
  }

  /// Documentation: *next*. iOS 2.0.
  open override var next: UIResponder? { controller ?? superview }
  /// Whose view this is.
  weak var controller: UIViewController?

  /// Documentation: *sizeThatFits(_:)*. iOS 2.0.
  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  /// Documentation: *draw(_:)*. iOS 2.0.
  open func draw(_ rect: CGRect) {}
  /// It raises an exception when it is drawn; see ``SimulatedException``.
  public var simulatesException = false
  /// The display has no image of it, and whoever draws the views around it is told that something is missing.
  public var simulatesMissingImage = false

  // MARK: Touches

  /// Documentation: *hitTest(_:with:)*. iOS 2.0.
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { deepestView(at: point, event) }

  /// Documentation: *point(inside:with:)*. iOS 2.0.
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  /// Documentation: *gestureRecognizers*. iOS 3.2.
  open var gestureRecognizers: [UIGestureRecognizer]? {
    didSet {
      oldValue?.forEach { $0.view = nil }
      gestureRecognizers?.forEach { $0.view = self }
    }
  }

  /// Documentation: *addGestureRecognizer(_:)*. iOS 3.2.
  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
  }
}
