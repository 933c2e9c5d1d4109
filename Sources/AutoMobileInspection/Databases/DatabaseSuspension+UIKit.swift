#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

extension DatabaseSuspension {
  func start() {
    observe(
      background: UIApplication.didEnterBackgroundNotification,
      foreground: UIApplication.willEnterForegroundNotification)
  }
}
#endif
