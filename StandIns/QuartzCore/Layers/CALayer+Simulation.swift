import Foundation

extension CALayer {
  /// An animation is under way: the display shows the layer here, while its own values are those at the end.
  public func simulateAnimation(showing frame: CGRect, opacity: Float = 1) { shown = (frame, opacity) }

  /// The animation is over.
  public func simulateAnimationEnd() { shown = nil }

  /// The layer was made after the display was last told, and has nothing to show there yet.
  public func simulateUncommitted(_ isUncommitted: Bool = true) { self.isUncommitted = isUncommitted }
}
