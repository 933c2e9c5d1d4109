import AutoMobileSDK
import Foundation
import Testing
import UIKit

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

/// A25: what `UIApplication` announces.
@MainActor @Suite(.serialized) struct SystemNotificationsTests {
  @Test func `A25 memory warning, significant time change and screenshot are broadcast events`() {
    let recorded = RecordedEvents()
    let observer = AutoMobileNotificationObserver()
    observer.initialize(bundleId: nil, buffer: recorded.buffer)
    UIApplication.shared.simulateMemoryWarning()
    UIApplication.shared.simulateSignificantTimeChange()
    UIApplication.shared.simulateScreenshot()
    observer.shutdown()
    UIApplication.shared.simulateScreenshot()
    #expect(
      recorded.all(SdkBroadcastEvent.self).map(\.action) == [
        "UIApplicationDidReceiveMemoryWarningNotification", "UIApplicationSignificantTimeChangeNotification",
        "UIApplicationUserDidTakeScreenshotNotification",
      ])
  }

  @Test func `A25 all six of the document are listened to`() {
    #expect(SystemNotificationNames.all.count == 6)
  }
}
