import Foundation

/// Documentation: *CALayer*. iOS 2.0.
open class CALayer: NSObject {
  public required override init() {}

  /// Documentation: *frame*. iOS 2.0.
  open var frame = CGRect.zero
  /// Documentation: *opacity*. iOS 2.0.
  open var opacity: Float = 1

  /// What is on the display while an animation runs.
  var shown: CALayer?

  /// Documentation: *presentation()*. iOS 2.0.
  open func presentation() -> Self? { shown as? Self ?? self }
}
