import Foundation

extension UIApplication {
  /// The system runs short of memory.
  public func simulateMemoryWarning() { announce(Self.didReceiveMemoryWarningNotification) }

  /// Midnight, another time zone, or the clock is set.
  public func simulateSignificantTimeChange() { announce(Self.significantTimeChangeNotification) }

  /// Somebody takes a screenshot.
  public func simulateScreenshot() { announce(Self.userDidTakeScreenshotNotification) }

  private func announce(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
