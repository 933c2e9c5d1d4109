import Foundation

/// Documentation: *CAAnimation*. iOS 2.0.
open class CAAnimation: NSObject {}

/// Documentation: *CAPropertyAnimation*. iOS 2.0.
open class CAPropertyAnimation: CAAnimation {
  /// Documentation: *keyPath*. iOS 2.0.
  open var keyPath: String?

  /// Documentation: *init(keyPath:)*. iOS 2.0.
  public convenience init(keyPath path: String?) {
    self.init()
    keyPath = path
  }
}

/// Documentation: *CABasicAnimation*. iOS 2.0.
open class CABasicAnimation: CAPropertyAnimation {}
