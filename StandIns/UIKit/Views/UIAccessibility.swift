/// Documentation: *UIAccessibilityTraits*. iOS 3.0.
public struct UIAccessibilityTraits: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Documentation: *button*. iOS 3.0.
  public static let button = UIAccessibilityTraits(rawValue: 1 << 0)
  /// Documentation: *link*. iOS 3.0.
  public static let link = UIAccessibilityTraits(rawValue: 1 << 1)
  /// Documentation: *none*. iOS 3.0.
  public static let none: UIAccessibilityTraits = []
}

/// Documentation: *UIAccessibilityIdentification*. iOS 5.0.
public protocol UIAccessibilityIdentification: NSObjectProtocol {
  /// Documentation: *accessibilityIdentifier*. iOS 5.0.
  @MainActor var accessibilityIdentifier: String? { get set }
}

extension UIView: UIAccessibilityIdentification {}
