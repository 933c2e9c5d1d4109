import Foundation

/// Documentation: *CALayerContentsGravity*. iOS 2.0.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Documentation: *center*. iOS 2.0.
  public static let center = CALayerContentsGravity(rawValue: "center")
  /// Documentation: *top*. iOS 2.0.
  public static let top = CALayerContentsGravity(rawValue: "top")
  /// Documentation: *bottom*. iOS 2.0.
  public static let bottom = CALayerContentsGravity(rawValue: "bottom")
  /// Documentation: *left*. iOS 2.0.
  public static let left = CALayerContentsGravity(rawValue: "left")
  /// Documentation: *right*. iOS 2.0.
  public static let right = CALayerContentsGravity(rawValue: "right")
  /// Documentation: *resize*. iOS 2.0.
  public static let resize = CALayerContentsGravity(rawValue: "resize")
  /// Documentation: *resizeAspect*. iOS 2.0.
  public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
  /// Documentation: *resizeAspectFill*. iOS 2.0.
  public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}
