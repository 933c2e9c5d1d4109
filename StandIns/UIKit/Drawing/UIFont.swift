import Foundation

/// Documentation: *UIFont*. iOS 2.0.
open class UIFont: NSObject, @unchecked Sendable {
  // Unchecked: it does not change.

  /// Documentation: *pointSize*. iOS 2.0.
  public let pointSize: CGFloat
  let isBold: Bool

  private init(_ size: CGFloat, isBold: Bool) {
    pointSize = size
    self.isBold = isBold
  }

  /// Documentation: *systemFont(ofSize:)*. iOS 2.0.
  open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, isBold: false) }

  /// Documentation: *boldSystemFont(ofSize:)*. iOS 2.0.
  open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, isBold: true) }
}
