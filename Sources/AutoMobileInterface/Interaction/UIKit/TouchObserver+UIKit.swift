#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
#if canImport(AutoMobileErrorBarrier)
import AutoMobileErrorBarrier
#endif
import UIKit

/// Sees the touches in all windows of the app, before these have them, and tells the tracker of the gestures.
@MainActor final class TouchObserver {
  nonisolated private static var sendEvent: Selector { NSSelectorFromString("sendEvent:") }
  private static var current: TouchObserver?

  private let tracker: AutoMobileInteractionTracker
  private let keyboard: KeyboardObserver
  private var machine = GestureMachine()
  private var samples: [TouchSample] = []
  /// What was under the first finger when it came down. By the time it leaves, that may be gone, and nobody could say whether it was
  /// masked.
  private var target = TapTarget()
  private var isOnKeyboard = false

  private init(_ tracker: AutoMobileInteractionTracker) {
    self.tracker = tracker
    keyboard = KeyboardObserver(tracker)
  }

  /// Begins or ends to look at touches, soon. Any thread; the last call counts.
  nonisolated static func setEnabled(_ enabled: Bool) {
    DispatchQueue.main.async {
      ErrorBarrier.run(.interaction) { enabled ? begin() : end() }
    }
  }

  private static func begin() {
    guard current == nil else { return }
    current = TouchObserver(.shared)
    observe()
  }

  private static func end() {
    AMStopObservingMethod(UIWindow.self, sendEvent)
    current = nil
  }

  // Not on the main actor: should somebody send an event on another thread, that is not for us to end the app for.
  nonisolated private static func observe() {
    AMObserveObjectMethod(UIWindow.self, sendEvent) { window, event in
      ErrorBarrier.run(.interaction) {
        guard let window = window as? UIWindow, let event = event as? UIEvent else { return }
        MainThread.run { current?.see(event, in: window) }
      }
    }
  }

  private func see(_ event: UIEvent, in window: UIWindow) {
    guard event.type == .touches, !ViewTypes.facts(window).isKeyboard, let touches = event.touches(for: window) else {
      return
    }
    samples.removeAll(keepingCapacity: true)
    for touch in touches { samples.append(TouchSample(touch, in: window)) }
    let gesture = machine.receive(samples) { sample in
      // The system has done its own hit test by now.
      let touch = touches.first { ObjectIdentifier($0) == sample.finger }
      let place = CGPoint(x: sample.place.x, y: sample.place.y)
      let hit = touch?.view ?? window.hitTest(place, with: event)
      isOnKeyboard = keyboard.covers(place, in: window)
      target = isOnKeyboard ? TapTarget() : hit.map { TapTarget($0, at: place) } ?? TapTarget()
      return ScrollAxes(hit)
    }
    guard let gesture, !isOnKeyboard else { return }
    tracker.record(gesture, target)
  }
}

extension TouchSample {
  @MainActor fileprivate init(_ touch: UITouch, in window: UIWindow) {
    let phase: Phase
    switch touch.phase {
    case .began: phase = .began
    case .moved: phase = .moved
    case .ended: phase = .ended
    case .cancelled: phase = .cancelled
    default: phase = .stationary
    }
    self.init(
      finger: ObjectIdentifier(touch), phase: phase, place: ScreenPoint(touch.location(in: window)),
      time: touch.timestamp)
  }
}
#endif
