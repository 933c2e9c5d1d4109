// Core Graphics: what the stand-in QuartzCore has of it, and what the codec of ImageIO needs besides.
@_exported import Foundation
@_exported import QuartzCore

/// Documentation: *CGImage*. iOS 2.0.
public final class CGImage: @unchecked Sendable {
  /// Documentation: *width*. iOS 2.0.
  public var width: Int { 0 }
  /// Documentation: *height*. iOS 2.0.
  public var height: Int { 0 }
  /// Documentation: *typeID*. iOS 2.0.
  public class var typeID: CFTypeID { 0 }
}

extension CGContext {
  /// Documentation: *makeImage()*. iOS 2.0.
  public func makeImage() -> CGImage? { nil }
  /// Documentation: *draw(_:in:byTiling:)*. iOS 2.0.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {}
}
