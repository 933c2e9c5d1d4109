#if canImport(Network)
import AutoMobileSupport
import AutoMobileRecorder
import Dispatch
import Network

/// The network, as `NWPathMonitor` sees it: at once, and at each change.
final class ConnectivitySource: OsEventSource {
  /// Also for making the monitor: that takes longer than the caller should wait.
  private let queue = BackgroundQueue.make("connectivity")
  private let monitor = Locked<NWPathMonitor?>(nil)

  func start(_ onSignal: @escaping @Sendable (OsSignal) -> Void) {
    queue.async { [queue, monitor] in
      ErrorBarrier.run(.connectivity) {
        let new = NWPathMonitor()
        new.pathUpdateHandler = { path in
          ErrorBarrier.run(.connectivity) { onSignal(.connectivity(Connectivity(path))) }
        }
        new.start(queue: queue)
        monitor.withLock { $0 = new }
      }
    }
  }

  func stop() {
    queue.async { [monitor] in
      ErrorBarrier.run(.connectivity) {
        monitor.withLock { monitor in
          defer { monitor = nil }
          return monitor
        }?.cancel()
      }
    }
  }
}

extension Connectivity {
  fileprivate init(_ path: NWPath) {
    switch path.status {
    case .satisfied: status = .satisfied
    case .requiresConnection: status = .requiresConnection
    default: status = .unsatisfied
    }
    transport = Self.transports.first { path.usesInterfaceType($0.type) }?.transport ?? .none
    isExpensive = path.isExpensive
    isConstrained = path.isConstrained
    if status != .satisfied { reason = Self.name(path.unsatisfiedReason) }
  }

  /// Of several, the first one.
  private static var transports: [(type: NWInterface.InterfaceType, transport: Transport)] {
    [(.wiredEthernet, .wired), (.wifi, .wifi), (.cellular, .cellular), (.loopback, .loopback), (.other, .other)]
  }

  private static func name(_ reason: NWPath.UnsatisfiedReason) -> String? {
    switch reason {
    case .cellularDenied: "cellular_denied"
    case .wifiDenied: "wifi_denied"
    case .localNetworkDenied: "local_network_denied"
    default: nil
    }
  }
}
#endif
