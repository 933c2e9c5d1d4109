/// Fingers on the screen, which Apple's framework leaves to people.
@MainActor public final class SimulatedFingers {
  private let window: UIWindow
  private var touches: [UITouch] = []
  private let event = UIEvent()

  public init(on window: UIWindow) { self.window = window }

  /// Fingers come down, one at each place, at a time in seconds.
  public func down(_ places: CGPoint..., at time: TimeInterval) {
    touches = places.map { place in
      let touch = UITouch()
      touch.window = window
      touch.place = place
      touch.view = window.hitTest(place, with: event)
      return touch
    }
    send(.began, at: time)
  }

  /// They move, each to its place.
  public func move(_ places: CGPoint..., at time: TimeInterval) {
    for (touch, place) in zip(touches, places) { touch.place = place }
    send(.moved, at: time)
  }

  /// They leave the screen where they are.
  public func up(at time: TimeInterval) { send(.ended, at: time) }

  /// A call comes in, or the system takes the touches for itself.
  public func cancel(at time: TimeInterval) { send(.cancelled, at: time) }

  /// The device is shaken.
  public static func shake(_ window: UIWindow) {
    let event = UIEvent()
    event.type = .motion
    window.sendEvent(event)
  }

  private func send(_ phase: UITouch.Phase, at time: TimeInterval) {
    for touch in touches {
      touch.phase = phase
      touch.timestamp = time
    }
    event.allTouches = Set(touches)
    window.sendEvent(event)
  }
}

extension UIWindow {
  /// Somebody taps with one finger, at a time in seconds.
  public func simulateTap(at place: CGPoint, time: TimeInterval = 1, duration: TimeInterval = 0.05) {
    let finger = SimulatedFingers(on: self)
    finger.down(place, at: time)
    finger.up(at: time + duration)
  }
}
