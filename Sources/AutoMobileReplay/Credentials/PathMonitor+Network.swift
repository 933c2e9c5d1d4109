#if canImport(Network)
import AutoMobileSupport
import AutoMobileRecorder
import Dispatch
import Network

/// The network, as `NWPathMonitor` sees it.
package final class SystemPathMonitor: PathMonitor {
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.replay.path", qos: .utility)
  private let monitor = Locked<NWPathMonitor?>(nil)

  package init() {}

  package func start(_ onChange: @escaping @Sendable (NetworkPath) -> Void) {
    queue.async { [queue, monitor] in
      ErrorBarrier.run(.connectivity) {
        let new = NWPathMonitor()
        new.pathUpdateHandler = { path in
          ErrorBarrier.run(.connectivity) {
            let isWiFi = path.usesInterfaceType(.wifi) || path.usesInterfaceType(.wiredEthernet)
            onChange(NetworkPath(isSatisfied: path.status == .satisfied, isWiFi: isWiFi))
          }
        }
        new.start(queue: queue)
        monitor.withLock { $0 = new }
      }
    }
  }

  package func stop() {
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
#endif
