import Foundation

/// Preferences that tell of their changes, and are kept by another process at once, as those of Apple's Foundation do and are, and
/// those of Linux's are not.
public final class SimulatedDefaults: UserDefaults {
  public override func set(_ value: Any?, forKey defaultName: String) {
    super.set(value, forKey: defaultName)
    synchronize()
    NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
  }

  public override func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

  public override func removeObject(forKey defaultName: String) {
    super.removeObject(forKey: defaultName)
    synchronize()
    NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
  }
}
