import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// What an app keeps over launches, in memory; and it can be locked, as before the first unlock.
final class MemoryStore: KeyValueStore {
  private let values = Locked<[String: String]>([:])
  private let isLocked = Locked(false)

  init(_ values: [String: String] = [:]) { self.values.withLock { $0 = values } }

  var all: [String: String] { values.withLock { $0 } }
  func setLocked(_ locked: Bool) { isLocked.withLock { $0 = locked } }

  func string(_ key: String) -> String? {
    isLocked.withLock { $0 } ? nil : values.withLock { $0[key] }
  }

  func set(_ key: String, _ value: String?) {
    guard !isLocked.withLock({ $0 }) else { return }
    values.withLock { $0[key] = value }
  }
}

/// The system's side of an app's life, told by a test.
final class ScriptedLifecycle: ApplicationLifecycle {
  private struct Listeners {
    var onLaunch: (@Sendable (ApplicationState) -> Void)?
    var onSignal: (@Sendable (ApplicationSignal) -> Void)?
  }
  private let listeners = Locked(Listeners())

  func start(
    onLaunch: @escaping @Sendable (ApplicationState) -> Void, onSignal: @escaping @Sendable (ApplicationSignal) -> Void
  ) {
    listeners.withLock { $0 = Listeners(onLaunch: onLaunch, onSignal: onSignal) }
  }

  func stop() { listeners.withLock { $0 = Listeners() } }

  func launch(_ state: ApplicationState) { listeners.withLock { $0.onLaunch }?(state) }
  func send(_ signal: ApplicationSignal) { listeners.withLock { $0.onSignal }?(signal) }
}
