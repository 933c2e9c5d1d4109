/// Documentation: *UIWindow*. iOS 2.0.
@MainActor open class UIWindow: UIView {
  /// Documentation: *init(windowScene:)*. iOS 13.0.
  public init(windowScene: UIWindowScene) {
    super.init(frame: windowScene.coordinateSpace.bounds)
    self.windowScene = windowScene
    // Observers of properties do not hear of an initializer.
    windowScene.windows.append(self)
  }

  public override init(frame: CGRect) { super.init(frame: frame) }

  /// Documentation: *init(coder:)*. iOS 2.0.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// Documentation: *windowScene*. iOS 13.0.
  open weak var windowScene: UIWindowScene? {
    didSet {
      oldValue?.windows.removeAll { $0 === self }
      windowScene?.windows.append(self)
    }
  }

  /// Documentation: *rootViewController*. iOS 4.0.
  open var rootViewController: UIViewController? {
    didSet {
      oldValue?.view.removeFromSuperview()
      guard let view = rootViewController?.view else { return }
      view.frame = bounds
      addSubview(view)
    }
  }

  /// Documentation: *makeKeyAndVisible()*. iOS 2.0.
  open func makeKeyAndVisible() {
    isHidden = false
    rootViewController?.appear(animated: false)
  }

  /// Documentation: *convert(_:from:)*. iOS 2.0.
  public func convert(_ rect: CGRect, from window: UIWindow?) -> CGRect {
    let from = window?.frame.origin ?? .zero
    return rect.offsetBy(dx: from.x - frame.origin.x, dy: from.y - frame.origin.y)
  }

  /// Documentation: *sendEvent(_:)*. iOS 2.0.
  open func sendEvent(_ event: UIEvent) {
    SimulatedMethods.begin(UIWindow.self, "sendEvent:", self, event)
    for touch in event.touches(for: self) ?? [] {
      recognizers(of: touch).forEach { $0.see(touch) }
      guard let view = touch.view else { continue }
      switch touch.phase {
      case .began: view.touchesBegan([touch], with: event)
      case .moved: view.touchesMoved([touch], with: event)
      case .ended: view.touchesEnded([touch], with: event)
      case .cancelled: view.touchesCancelled([touch], with: event)
      default: break
      }
    }
  }

  /// Of the view that is touched, and of all that it is in.
  private func recognizers(of touch: UITouch) -> [UIGestureRecognizer] {
    var recognizers: [UIGestureRecognizer] = []
    var view = touch.view
    while let current = view {
      recognizers += (current.gestureRecognizers ?? []).filter(\.isEnabled)
      view = current.superview
    }
    return recognizers
  }
}
