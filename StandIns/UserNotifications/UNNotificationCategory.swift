import Foundation

/// Documentation: *UNNotificationCategory*. iOS 10.0.
open class UNNotificationCategory: NSObject {
  /// Documentation: *identifier*. iOS 10.0.
  public let identifier: String

  /// Documentation: *actions*. iOS 10.0.
  public let actions: [UNNotificationAction]

  /// Documentation: *intentIdentifiers*. iOS 10.0.
  public let intentIdentifiers: [String]

  /// Documentation: *options*. iOS 10.0.
  public let options: UNNotificationCategoryOptions

  /// Documentation: *init(identifier:actions:intentIdentifiers:options:)*. iOS 10.0.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.options = options
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return identifier == other.identifier && actions == other.actions && options == other.options
      && intentIdentifiers == other.intentIdentifiers
  }

  open override var hash: Int { identifier.hashValue }
}

/// Documentation: *UNNotificationCategoryOptions*. iOS 10.0.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Documentation: *customDismissAction*. iOS 10.0.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
}

/// Documentation: *UNNotificationAction*. iOS 10.0.
open class UNNotificationAction: NSObject {
  /// Documentation: *identifier*. iOS 10.0.
  public let identifier: String

  /// Documentation: *title*. iOS 10.0.
  public let title: String

  /// Documentation: *options*. iOS 10.0.
  public let options: UNNotificationActionOptions

  /// Documentation: *init(identifier:title:options:)*. iOS 10.0.
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction else { return false }
    return identifier == other.identifier && title == other.title && options == other.options
  }

  open override var hash: Int { identifier.hashValue }
}

/// Documentation: *UNNotificationActionOptions*. iOS 10.0.
public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Documentation: *foreground*. iOS 10.0.
  public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
