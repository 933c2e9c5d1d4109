/// Documentation: *UITouch*. iOS 2.0.
@MainActor open class UITouch: NSObject {
  /// Documentation: *UITouch.Phase*. iOS 2.0.
  public enum Phase: Int, Sendable {
    case began = 0
    case moved = 1
    case stationary = 2
    case ended = 3
    case cancelled = 4
    case regionEntered = 5
    case regionMoved = 6
    case regionExited = 7
  }

  /// Documentation: *phase*. iOS 2.0.
  open internal(set) var phase = Phase.began
  /// Documentation: *timestamp*. iOS 2.0.
  open internal(set) var timestamp: TimeInterval = 0
  /// Documentation: *view*. iOS 2.0.
  open internal(set) var view: UIView?
  /// Documentation: *window*. iOS 2.0.
  open internal(set) var window: UIWindow?
  /// In the window.
  var place = CGPoint.zero

  /// Documentation: *location(in:)*. iOS 2.0.
  open func location(in view: UIView?) -> CGPoint {
    guard let view, let window else { return place }
    return view.convert(place, from: window)
  }
}

/// Documentation: *UIEvent*. iOS 2.0.
@MainActor open class UIEvent: NSObject {
  /// Documentation: *UIEvent.EventType*. iOS 3.0.
  public enum EventType: Int, Sendable {
    case touches = 0
    case motion = 1
  }

  /// Documentation: *type*. iOS 3.0.
  open internal(set) var type = EventType.touches
  /// Documentation: *allTouches*. iOS 2.0.
  open internal(set) var allTouches: Set<UITouch>?

  /// Documentation: *touches(for:)*. iOS 2.0.
  open func touches(for window: UIWindow) -> Set<UITouch>? { allTouches?.filter { $0.window === window } }
}
