#if canImport(UIKit) && !os(watchOS)
import UIKit

extension SystemNotificationNames {
  static var application: [Notification.Name] {
    var names = [UIApplication.didReceiveMemoryWarningNotification, UIApplication.significantTimeChangeNotification]
    #if !os(tvOS)
    names.append(UIApplication.userDidTakeScreenshotNotification)
    #endif
    return names
  }
}
#endif
