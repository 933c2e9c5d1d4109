import AutoMobileSDK
import AutoMobileSupport
import Network
import Testing

@testable import AutoMobileReplay

@Suite(.serialized) struct ReplayPathTests {
  @Test func `the network is told at once and at each change, until it is stopped`() async {
    NWPathMonitor.simulateChange(to: .simulated(.satisfied, [.wifi]))
    let paths = Locked<[NetworkPath]>([])
    let before = NWPathMonitor.simulatedListeners
    let monitor = SystemPathMonitor()
    monitor.start { path in paths.withLock { $0.append(path) } }
    #expect(await heard(1, paths))
    NWPathMonitor.simulateChange(to: .simulated(.satisfied, [.cellular]))
    #expect(await heard(2, paths))
    NWPathMonitor.simulateChange(to: .simulated(.satisfied, [.wiredEthernet]))
    #expect(await heard(3, paths))
    NWPathMonitor.simulateChange(to: .simulated(.unsatisfied, []))
    #expect(await heard(4, paths))
    #expect(
      paths.withLock { $0 } == [
        NetworkPath(isSatisfied: true, isWiFi: true), NetworkPath(isSatisfied: true, isWiFi: false),
        NetworkPath(isSatisfied: true, isWiFi: true), NetworkPath(isSatisfied: false, isWiFi: false),
      ])
    monitor.stop()
    for _ in 0..<6000 where NWPathMonitor.simulatedListeners > before {
      try? await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(NWPathMonitor.simulatedListeners == before)
    NWPathMonitor.simulateChange(to: .simulated(.satisfied, [.wifi]))
  }

  private func heard(_ count: Int, _ paths: Locked<[NetworkPath]>) async -> Bool {
    for _ in 0..<6000 {
      if paths.withLock({ $0.count }) >= count { return true }
      try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return false
  }
}
