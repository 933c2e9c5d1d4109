import NIOConcurrencyHelpers

/// Which of several hosts is asked first: the one that last answered.
final class HostTurn: Sendable {
  private let first = NIOLockedValueBox(0)

  func order(_ hosts: [ClickHouseAddress.Host]) -> [ClickHouseAddress.Host] {
    guard !hosts.isEmpty else { return [] }
    let start = first.withLockedValue { $0 } % hosts.count
    return Array(hosts[start...] + hosts[..<start])
  }

  /// It did not answer; unless others have noticed already, the next one is first from now on.
  func passOver(_ host: ClickHouseAddress.Host, _ hosts: [ClickHouseAddress.Host]) {
    guard let index = hosts.firstIndex(of: host) else { return }
    first.withLockedValue { if $0 % hosts.count == index { $0 = (index + 1) % hosts.count } }
  }
}
