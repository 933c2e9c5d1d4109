#if canImport(UIKit) && !os(watchOS)
import AutoMobileRecorder
import UIKit

extension AutoMobileInteractionTracker {
  /// Records the tap that a recognizer has seen, with what is under it in `view`. Taps are recorded by themselves,
  /// too; the same one is recorded once.
  @MainActor public func recordTap(from recognizer: UITapGestureRecognizer, in view: UIView) {
    guard isEnabled else { return }
    ErrorBarrier.run(.interaction) {
      // A view that takes no touches of its own, as a label, is what was tapped then.
      let hit = view.hitTest(recognizer.location(in: view), with: nil) ?? view
      let place = recognizer.location(in: nil)
      recordTap(at: ScreenPoint(place), TapTarget(hit, at: place))
    }
  }
}

extension ScreenPoint {
  init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}
#endif
