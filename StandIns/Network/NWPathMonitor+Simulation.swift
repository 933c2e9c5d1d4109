import Dispatch
import Foundation

extension NWPath {
  /// A path as the system would find it.
  public static func simulated(
    _ status: Status = .satisfied, _ interfaces: [NWInterface.InterfaceType] = [.wifi],
    because reason: UnsatisfiedReason = .notAvailable, isExpensive: Bool = false, isConstrained: Bool = false
  ) -> NWPath {
    NWPath(
      status: status, unsatisfiedReason: reason, isExpensive: isExpensive, isConstrained: isConstrained,
      interfaces: interfaces)
  }
}

extension NWPathMonitor {
  /// The network becomes this one: every monitor that was started hears of it on its queue.
  public static func simulateChange(to path: NWPath) { SimulatedNetwork.shared.change(to: path) }

  /// The device has just been woken, and looks for a network: monitors that start now hear of none until it is found.
  public static func simulateSearch() {
    SimulatedNetwork.shared.withLock { SimulatedNetwork.shared.isSearching = true }
  }

  public static func simulateFinding() { SimulatedNetwork.shared.find() }

  /// How many monitors listen.
  public static var simulatedListeners: Int { SimulatedNetwork.shared.listeners }
}

/// The network that all monitors look at.
final class SimulatedNetwork: @unchecked Sendable {
  // Unchecked: everything is reached under the lock.
  static let shared = SimulatedNetwork()
  private let lock = NSLock()
  private var path = NWPath.simulated()
  private var monitors: [NWPathMonitor] = []
  var isSearching = false

  var listeners: Int { withLock { monitors.count } }

  func withLock<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// A monitor tells its first path soon after the start, and cannot be started again once it was cancelled.
  func start(_ monitor: NWPathMonitor, queue: DispatchQueue) {
    withLock {
      guard monitor.queue == nil else { return }
      monitor.queue = queue
      monitors.append(monitor)
      if !isSearching { tell(monitor) }
    }
  }

  func find() {
    withLock {
      guard isSearching else { return }
      isSearching = false
      monitors.forEach(tell)
    }
  }

  func stop(_ monitor: NWPathMonitor) { withLock { monitors.removeAll { $0 === monitor } } }

  func change(to new: NWPath) {
    withLock {
      guard new != path else { return }
      path = new
      monitors.forEach(tell)
    }
  }

  private func tell(_ monitor: NWPathMonitor) {
    let path = path
    let id = ObjectIdentifier(monitor)
    monitor.queue?.async { [weak self] in
      // Whoever was stopped meanwhile is told nothing.
      guard let self else { return }
      withLock { monitors.first { ObjectIdentifier($0) == id }?.handler }?(path)
    }
  }
}
