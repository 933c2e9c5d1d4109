import AutoMobileRecorder
import AutoMobileSupport

/// Hears of preferences that changed: on a queue of the SDK's, one after the other.
public protocol UserDefaultsChangeListener: AnyObject {
  /// - Parameters:
  ///   - suiteName: nil is the standard suite.
  ///   - key: nil when it is not known which one.
  func onPreferenceChanged(suiteName: String?, key: String?)
}

/// Who wants to hear of changes.
final class UserDefaultsListeners: @unchecked Sendable {
  // Unchecked, because listeners are not marked Sendable: the list is behind a lock, and they are called one at a time.
  private let listeners = Locked<[any UserDefaultsChangeListener]>([])

  func add(_ listener: any UserDefaultsChangeListener) {
    change { listeners in
      if !listeners.contains(where: { $0 === listener }) { listeners.append(listener) }
    }
  }

  func remove(_ listener: any UserDefaultsChangeListener) { change { $0.removeAll { $0 === listener } } }

  func removeAll() { change { $0.removeAll() } }

  /// On this thread, without a lock.
  func notify(suiteName: String?, key: String) {
    for listener in listeners.withLock({ $0 }) {
      ErrorBarrier.run(.userDefaultsListener) { listener.onPreferenceChanged(suiteName: suiteName, key: key) }
    }
  }

  private func change(_ body: (inout [any UserDefaultsChangeListener]) -> Void) {
    // What was there before is released outside the lock: a listener's end may run code of the app.
    let before = listeners.withLock { listeners in
      let before = listeners
      body(&listeners)
      return before
    }
    withExtendedLifetime(before) {}
  }
}
