import Foundation

extension UIApplication {
  /// Documentation: *didReceiveMemoryWarningNotification*. iOS 2.0.
  nonisolated public class var didReceiveMemoryWarningNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
  }

  /// Documentation: *significantTimeChangeNotification*. iOS 2.0.
  nonisolated public class var significantTimeChangeNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationSignificantTimeChangeNotification")
  }

  /// Documentation: *userDidTakeScreenshotNotification*. iOS 7.0.
  nonisolated public class var userDidTakeScreenshotNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationUserDidTakeScreenshotNotification")
  }
}
