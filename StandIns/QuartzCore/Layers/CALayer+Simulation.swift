import Foundation

extension CALayer {
  /// An animation is under way: the display shows the layer here, while its own values are those at the end.
  public func simulateAnimation(showing frame: CGRect, opacity: Float = 1) {
    let layer = Self.init()
    layer.frame = frame
    layer.opacity = opacity
    shown = layer
  }

  /// The animation is over.
  public func simulateAnimationEnd() { shown = nil }
}
