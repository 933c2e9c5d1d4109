import Foundation

/// Small texts that outlive the process.
protocol KeyValueStore: Sendable {
  func string(_ key: String) -> String?
  /// Nil removes the value.
  func set(_ key: String, _ value: String?)
}

/// The app's `UserDefaults`.
///
/// `@unchecked Sendable`: `UserDefaults` is documented to be safe from any thread, and is not marked so on all platforms.
struct UserDefaultsStore: KeyValueStore, @unchecked Sendable {
  private let defaults: UserDefaults

  init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

  func string(_ key: String) -> String? { defaults.string(forKey: key) }

  func set(_ key: String, _ value: String?) {
    if let value { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
  }
}
