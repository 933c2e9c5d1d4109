/// Keys that are not the app's: the system's, which show in every suite, and the SDK's own.
enum SystemKeys {
  private static let prefixes = ["com.apple.", "NS", "Apple", "AKDeviceUnlockState", "PKLog", "METAL_", "INNext"]

  /// Kept by the system, as its name says. What else stands in the system's own domain ``DefaultsStore`` knows.
  static func isSystem(_ key: String) -> Bool { prefixes.contains { key.hasPrefix($0) } }

  /// Identity and lifecycle are no concern of whoever clears or watches the app's preferences.
  static func isOurs(_ key: String) -> Bool { key.hasPrefix("automobile:") }

  /// Of the app itself.
  static func isOfApp(_ key: String) -> Bool { !isSystem(key) && !isOurs(key) }
}
