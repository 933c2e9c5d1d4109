import Dispatch

/// Documentation: *NWPathMonitor*. iOS 12.0.
///
/// Sendable since iOS 17.0, and so not for the SDK. Everything that changes is reached under the network's lock.
public final class NWPathMonitor {
  var handler: (@Sendable (NWPath) -> Void)?
  var queue: DispatchQueue?

  /// Documentation: *init()*. iOS 12.0.
  public init() {}

  /// Documentation: *pathUpdateHandler*. iOS 12.0.
  @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { SimulatedNetwork.shared.withLock { handler } }
    set { SimulatedNetwork.shared.withLock { handler = newValue } }
  }

  /// Documentation: *start(queue:)*. iOS 12.0.
  public func start(queue: DispatchQueue) { SimulatedNetwork.shared.start(self, queue: queue) }

  /// Documentation: *cancel()*. iOS 12.0.
  public func cancel() { SimulatedNetwork.shared.stop(self) }
}
