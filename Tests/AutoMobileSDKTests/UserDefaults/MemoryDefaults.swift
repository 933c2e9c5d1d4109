import Foundation

@testable import AutoMobileInspection

/// Preferences in memory.
final class MemoryDefaults: DefaultsStore, @unchecked Sendable {
  // Unchecked: `suites` is reached under the lock.
  private let lock = NSLock()
  private var suites: [String?: [String: Any]]
  private let system: Set<String>

  init(_ values: [String: Any] = [:], system: Set<String> = []) {
    suites = [nil: values]
    self.system = system
  }

  func suiteNames() -> [String] { lock.withLock { suites.keys.compactMap { $0 } } }
  func values(_ suite: String?) -> [String: Any] { lock.withLock { suites[suite] ?? [:] } }
  func set(_ suite: String?, _ key: String, _ value: Any) { lock.withLock { suites[suite, default: [:]][key] = value } }
  func remove(_ suite: String?, _ key: String) { lock.withLock { suites[suite]?[key] = nil } }
  func systemKeys() -> Set<String> { system }
}
