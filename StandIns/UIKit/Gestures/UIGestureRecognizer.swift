/// Documentation: *UIGestureRecognizer*. iOS 3.2.
@MainActor open class UIGestureRecognizer: NSObject {
  private let target: Any?
  private let action: Selector?
  private var touch: UITouch?

  /// Documentation: *init(target:action:)*. iOS 3.2.
  public init(target: Any?, action: Selector?) {
    self.target = target
    self.action = action
  }

  /// Documentation: *view*. iOS 3.2.
  open internal(set) weak var view: UIView?
  /// Documentation: *isEnabled*. iOS 3.2.
  open var isEnabled = true

  /// Documentation: *location(in:)*. iOS 3.2.
  open func location(in view: UIView?) -> CGPoint { touch?.location(in: view) ?? .zero }

  /// A touch is on the recognizer's view.
  func see(_ touch: UITouch) {
    self.touch = touch
    if recognizes(touch) { recognized() }
  }

  func recognizes(_ touch: UITouch) -> Bool { false }

  private func recognized() {
    guard let action else { return }
    (target as? any SimulatedTarget)?.simulateMessage(action, self)
  }
}

/// Documentation: *UITapGestureRecognizer*. iOS 3.2.
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
  override func recognizes(_ touch: UITouch) -> Bool { touch.phase == .ended }
}

/// Documentation: *UILongPressGestureRecognizer*. iOS 3.2.
@MainActor open class UILongPressGestureRecognizer: UIGestureRecognizer {}

/// Documentation: *UIPanGestureRecognizer*. iOS 3.2.
@MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {}
