import AutoMobileSDK
import LocalAuthentication
import Observation

/// Who uses the app. AutoMobile keeps the id over launches, and so does the app.
@MainActor @Observable public final class Account {
  public private(set) var name: String?

  /// Whether the person has shown that it is them.
  public private(set) var isUnlocked = false

  /// What is charged: a number for tests, that is nobody's.
  public let card = "Visa 4000 0566 5566 5556"

  public init(name: String? = nil) { self.name = name }

  public func logIn(_ name: String) {
    self.name = name
    AutoMobileSDK.shared.setUserId(name)
    AutoMobileSDK.shared.setTag("plan", value: "regular")
  }

  /// Face ID, or what the device has. An `LAContext` in all but name: a test decides how it ends, with
  /// `AutoMobileBiometrics.shared.overrideResult(.success)`.
  public func unlock() async {
    let context = AutoMobileAuthenticationContext()
    let isUnlocked = try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "See your points")
    self.isUnlocked = isUnlocked ?? false
  }

  /// Whoever comes next is somebody else: a new anonymous id, too.
  public func logOut() {
    name = nil
    isUnlocked = false
    AutoMobileSDK.shared.removeTag("plan")
    AutoMobileSDK.shared.resetIdentity()
  }
}
