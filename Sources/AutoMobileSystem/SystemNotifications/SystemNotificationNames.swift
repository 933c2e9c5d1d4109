import Foundation

/// What is listened to.
enum SystemNotificationNames {
  static var all: [Notification.Name] {
    #if canImport(UIKit) && !os(watchOS)
    foundation + application
    #else
    foundation
    #endif
  }

  private static var foundation: [Notification.Name] {
    #if canImport(Darwin)
    [
      NSLocale.currentLocaleDidChangeNotification, .NSSystemTimeZoneDidChange, .NSProcessInfoPowerStateDidChange,
    ]
    #else
    // The names that these have on Apple platforms; not all of them exist elsewhere.
    [
      "kCFLocaleCurrentLocaleDidChangeNotification", "NSSystemTimeZoneDidChangeNotification",
      "NSProcessInfoPowerStateDidChangeNotification",
    ].map { Notification.Name($0) }
    #endif
  }
}
