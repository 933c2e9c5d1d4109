import AutoMobileSDK
import Foundation
import Observation

/// Who uses the app. AutoMobile keeps the id over launches, and so does the app.
@MainActor @Observable public final class Account {
  public private(set) var name: String?

  public init(name: String? = nil) { self.name = name }

  public func logIn(_ name: String) {
    self.name = name
    AutoMobileSDK.shared.setUserId(name)
    AutoMobileSDK.shared.setTag("plan", value: "regular")
  }

  /// Whoever comes next is somebody else: a new anonymous id, too.
  public func logOut() {
    name = nil
    AutoMobileSDK.shared.removeTag("plan")
    AutoMobileSDK.shared.resetIdentity()
  }
}
