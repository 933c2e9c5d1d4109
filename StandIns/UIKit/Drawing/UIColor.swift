import Foundation

/// Documentation: *UIColor*. iOS 2.0.
open class UIColor: NSObject, @unchecked Sendable {
  // Unchecked: it does not change.
  private let red: CGFloat
  private let green: CGFloat
  private let blue: CGFloat
  private let alpha: CGFloat

  /// Documentation: *init(red:green:blue:alpha:)*. iOS 2.0.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Documentation: *init(white:alpha:)*. iOS 2.0.
  public init(white: CGFloat, alpha: CGFloat) { (red, green, blue, self.alpha) = (white, white, white, alpha) }

  /// Documentation: *getRed(_:green:blue:alpha:)*. iOS 5.0.
  @discardableResult
  open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    red?.pointee = self.red
    green?.pointee = self.green
    blue?.pointee = self.blue
    alpha?.pointee = self.alpha
    return true
  }

  /// Documentation: *cgColor*. iOS 2.0.
  open var cgColor: CGColor { CGColor(red: red, green: green, blue: blue, alpha: alpha) }

  /// Documentation: *black*. iOS 2.0.
  open class var black: UIColor { UIColor(white: 0, alpha: 1) }
  /// Documentation: *white*. iOS 2.0.
  open class var white: UIColor { UIColor(white: 1, alpha: 1) }
  /// Documentation: *gray*. iOS 2.0.
  open class var gray: UIColor { UIColor(white: 0.5, alpha: 1) }

  func select(_ context: CGContext) { context.setFillColor(red: red, green: green, blue: blue, alpha: alpha) }
}
