import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Where preferences are kept.
protocol DefaultsStore: Sendable {
  /// The suites beside the standard one that can be found without being told of.
  func suiteNames() -> [String]
  /// All that is read through a suite, in whatever domain it is kept.
  func values(_ suite: String?) -> [String: Any]
  func set(_ suite: String?, _ key: String, _ value: Any)
  func remove(_ suite: String?, _ key: String)
  /// Keys that the system keeps for all apps.
  func systemKeys() -> Set<String>
}

/// The process's `UserDefaults`.
///
/// `@unchecked Sendable`: `UserDefaults` is documented to be safe from any thread, and is not marked so on all platforms. The
/// table of suites is behind a lock.
final class SystemDefaultsStore: DefaultsStore, @unchecked Sendable {
  private let suites = Locked<[String: UserDefaults]>([:])

  func suiteNames() -> [String] {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    // In a container there are the app's own only.
    let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
    let files = library.flatMap {
      try? FileManager.default.contentsOfDirectory(atPath: $0.appendingPathComponent("Preferences").path)
    }
    return (files ?? []).filter { $0.hasSuffix(".plist") }.map { String($0.dropLast(6)) }
      .filter { $0 != Bundle.main.bundleIdentifier && !SystemKeys.isSystem($0) && !$0.hasPrefix(".") }.ordered()
    #else
    return []
    #endif
  }

  func values(_ suite: String?) -> [String: Any] { defaults(suite)?.dictionaryRepresentation() ?? [:] }

  func set(_ suite: String?, _ key: String, _ value: Any) { defaults(suite)?.set(value, forKey: key) }

  func remove(_ suite: String?, _ key: String) { defaults(suite)?.removeObject(forKey: key) }

  func systemKeys() -> Set<String> {
    Set(UserDefaults.standard.persistentDomain(forName: UserDefaults.globalDomain)?.keys.map { $0 } ?? [])
  }

  private func defaults(_ suite: String?) -> UserDefaults? {
    guard let suite, suite != Bundle.main.bundleIdentifier else { return .standard }
    return suites.withLock { suites in
      if let known = suites[suite] { return known }
      if suites.count >= 256 { suites = [:] }
      let new = UserDefaults(suiteName: suite)
      suites[suite] = new
      return new
    }
  }
}
