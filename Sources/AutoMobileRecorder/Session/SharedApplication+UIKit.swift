#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// The one place that asks for `UIApplication.shared`: an app extension may be linked with the SDK, and has none.
package enum SharedApplication {
  @MainActor package static var current: UIApplication? {
    #if canImport(ObjectiveC)
    // By name, since code for extensions may not name it.
    let shared = NSSelectorFromString("sharedApplication")
    guard !Bundle.main.bundlePath.hasSuffix(".appex"), UIApplication.responds(to: shared) else { return nil }
    return UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    #else
    return .shared
    #endif
  }
}
#endif
