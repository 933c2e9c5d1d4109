import Foundation

/// Documentation: *CGColor*. iOS 2.0.
public final class CGColor: Sendable {
  package let components: [CGFloat]

  /// Documentation: *init(red:green:blue:alpha:)*. iOS 13.0.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { components = [red, green, blue, alpha] }

  package func select(_ context: CGContext, alpha: CGFloat) {
    context.setFillColor(red: components[0], green: components[1], blue: components[2], alpha: components[3] * alpha)
  }
}

/// Documentation: *CGPath*. iOS 2.0.
public final class CGPath: Sendable {
  let rect: CGRect

  /// Documentation: *init(rect:transform:)*. iOS 2.0.
  public init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) { self.rect = rect }
}
