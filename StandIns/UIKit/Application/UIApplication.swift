import Foundation

/// Documentation: *UIApplication*. iOS 2.0.
@MainActor open class UIApplication: UIResponder {
  /// Documentation: *shared*. iOS 2.0.
  public class var shared: UIApplication { theApplication }
  private static let theApplication = UIApplication()

  /// Documentation: *UIApplication.State*. iOS 4.0.
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  /// Documentation: *applicationState*. iOS 4.0.
  public internal(set) var applicationState = State.inactive

  /// Documentation: *isProtectedDataAvailable*. iOS 4.0.
  nonisolated public internal(set) var isProtectedDataAvailable: Bool {
    get { protection.withLock { isUnlocked } }
    set { protection.withLock { isUnlocked = newValue } }
  }
  nonisolated private let protection = NSLock()
  nonisolated(unsafe) private var isUnlocked = true
}

extension UIApplication {
  /// Documentation: *didBecomeActiveNotification*. iOS 2.0.
  nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationDidBecomeActiveNotification")
  }

  /// Documentation: *willResignActiveNotification*. iOS 2.0.
  nonisolated public class var willResignActiveNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationWillResignActiveNotification")
  }

  /// Documentation: *didEnterBackgroundNotification*. iOS 4.0.
  nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
  }

  /// Documentation: *willEnterForegroundNotification*. iOS 4.0.
  nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationWillEnterForegroundNotification")
  }

  /// Documentation: *willTerminateNotification*. iOS 2.0.
  nonisolated public class var willTerminateNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationWillTerminateNotification")
  }

  /// Documentation: *protectedDataDidBecomeAvailableNotification*. iOS 4.0.
  nonisolated public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
    NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable")
  }
}
