import Foundation

/// A class of layers that has a designated initializer of its own, and no `init(layer:)`. The compiler makes one for it that traps: who
/// asks for its presentation layer ends the process. There is no Objective-C here that would call that.
public protocol SimulatedWithoutCopies: CALayer {}

extension CALayer {
  /// Where animations have come to; nil for what is not animated.
  struct Animations {
    var frame: CGRect?
    var boundsOrigin: CGPoint?
    var opacity: Float?
    var isHidden: Bool?
    var cornerRadius: CGFloat?
    var transform: CGAffineTransform?
    var masksToBounds: Bool?

    var isEmpty: Bool {
      frame == nil && boundsOrigin == nil && opacity == nil && isHidden == nil && cornerRadius == nil
        && transform == nil && masksToBounds == nil
    }

    func change(_ looks: inout Looks) {
      if let frame { looks.frame = frame }
      if let boundsOrigin { looks.boundsOrigin = boundsOrigin }
      if let opacity { looks.opacity = opacity }
      if let isHidden { looks.isHidden = isHidden }
      if let cornerRadius { looks.cornerRadius = cornerRadius }
      if let transform { looks.transform = transform }
      if let masksToBounds { looks.masksToBounds = masksToBounds }
    }
  }

  /// An animation is under way: the display shows the layer like this, while its own values are those at the end.
  public func simulateAnimation(
    showing frame: CGRect? = nil, boundsOrigin: CGPoint? = nil, opacity: Float? = nil, isHidden: Bool? = nil,
    cornerRadius: CGFloat? = nil, transform: CGAffineTransform? = nil, masksToBounds: Bool? = nil
  ) {
    animations = Animations(
      frame: frame, boundsOrigin: boundsOrigin, opacity: opacity, isHidden: isHidden, cornerRadius: cornerRadius,
      transform: transform, masksToBounds: masksToBounds)
  }

  /// The animation is over.
  public func simulateAnimationEnd() { animations = Animations() }

  /// The layer was made after the display was last told, and has nothing to show there yet.
  public func simulateUncommitted(_ isUncommitted: Bool = true) { self.isUncommitted = isUncommitted }
}
