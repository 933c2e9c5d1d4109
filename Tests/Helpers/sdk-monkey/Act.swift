import AutoMobileSDK
import Foundation

/// One thing that an app can do with the SDK.
struct Act: Sendable {
  /// The public symbols that it calls, as the compiler names them.
  let symbols: [String]
  /// How often it is done, beside the others.
  let weight: Int
  let body: @Sendable (inout Hostile, Stage) -> Void

  init(_ symbols: String..., weight: Int = 20, body: @escaping @Sendable (inout Hostile, Stage) -> Void) {
    self.symbols = symbols
    self.weight = weight
    self.body = body
  }

  /// All there are. A test compares them with the module's public symbols.
  static let all =
    sdk + navigation + viewBodies + recording + logging + crashes + failures + reports + values + parts + network
    + interception + pipeline + system + interaction + storage + spans + upload
}

/// What the acts play with.
struct Stage: Sendable {
  let sdk: AutoMobileSDK
  /// For files of the monkey's own.
  let directory: URL
  /// Sanitizers bring signal handlers of their own.
  let isSanitized: Bool
  let configuration: AutoMobileConfiguration
  let props: Props
}

/// Objects that many threads share, and that replace each other.
final class Props: @unchecked Sendable {
  // Unchecked: everything is reached under the lock.
  private let lock = NSLock()
  private var observation: BatchObservation?
  private var listener: (any NavigationListener)?
  private var processors = 0

  func swap(_ new: BatchObservation?) {
    lock.lock()
    let old = observation
    observation = new
    lock.unlock()
    old?.cancel()
  }

  func swap(_ new: (any NavigationListener)?) -> (any NavigationListener)? {
    lock.lock()
    defer { lock.unlock() }
    let old = listener
    listener = new
    return old
  }

  /// Processors cannot be taken away again.
  func mayAddProcessor() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    processors += 1
    return processors <= 4
  }
}
