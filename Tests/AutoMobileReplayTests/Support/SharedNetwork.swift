import AutoMobileSDK
import AutoMobileSupport
import Foundation

@testable import AutoMobileReplay

/// A network that changes, with a monitor for each recorder that watches it.
final class SharedNetwork: Sendable {
  static let wiFi = NetworkPath(isSatisfied: true, isWiFi: true)
  static let mobile = NetworkPath(isSatisfied: true, isWiFi: false)

  private struct State {
    var path: NetworkPath
    var observers: [Int: @Sendable (NetworkPath) -> Void] = [:]
    var next = 0
  }
  private let state: Locked<State>

  init(_ path: NetworkPath = wiFi) { state = Locked(State(path: path)) }

  /// How many watch it.
  var watchers: Int { state.withLock { $0.observers.count } }

  func monitor() -> any PathMonitor { Monitor(network: self) }

  func set(_ path: NetworkPath) {
    let observers = state.withLock { state in
      state.path = path
      return Array(state.observers.values)
    }
    observers.forEach { $0(path) }
  }

  private final class Monitor: PathMonitor {
    private let network: SharedNetwork
    private let number: Int

    init(network: SharedNetwork) {
      self.network = network
      number = network.state.withLock { state in
        state.next += 1
        return state.next
      }
    }

    func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void) {
      let path = network.state.withLock { state in
        state.observers[number] = onChange
        return state.path
      }
      onChange(path)
    }

    func stop() { network.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
  }
}

/// Waits for as long as a test wants, or until nobody wants it any more.
final class HeldSleep: Sendable {
  private let state = Locked((isHeld: true, longest: Int64(0), count: 0))

  var count: Int { state.withLock { $0.count } }
  /// The longest time that somebody wanted to wait, in milliseconds.
  var longest: Int64 { state.withLock { $0.longest } }

  func release() { state.withLock { $0.isHeld = false } }

  func sleep(_ milliseconds: Int64) async throws {
    state.withLock { state in
      state.longest = max(state.longest, milliseconds)
      state.count += 1
    }
    while state.withLock({ $0.isHeld }) { try await Task.sleep(nanoseconds: 10_000_000) }
  }
}
