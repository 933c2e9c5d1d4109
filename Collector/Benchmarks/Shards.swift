import AutoMobileClickHouse
import AutoMobileCollector
import ClickHouseTestServer

/// Two shards of ClickHouse on this machine, with a database for one figure.
struct Shards {
  private let pair: ClickHousePair
  private let address: ClickHouseAddress
  /// As a collector is started with it.
  let place: String

  init() throws {
    guard ClickHouseServer.program != nil else { throw Failure(ClickHouseServer.missing) }
    pair = try waitFor { try await ClickHousePair() }
    address = try pair.address("figures")
    let hosts = address.hosts.map(\.description).joined(separator: ",")
    place = "clickhouse://\(ClickHouseServer.user)@\(hosts)/figures?cluster=pair"
  }

  /// What is on the disks of both, in bytes. Events that are there twice, or not at all, end the program.
  func stored(_ events: Int) throws -> UInt64 { try waitFor { try await stored(events) } }

  private func stored(_ events: Int) async throws -> UInt64 {
    let cluster = try await ClickHouseCluster.open(address)
    defer { try? cluster.shutdownNow() }
    let found = try await cluster.client.rows(
      "SELECT count(), uniqExact(`launch`, `position`) FROM \(cluster.readable(TelemetryTables.events))"
    ) { (try $0.int(UInt64.self), try $0.int(UInt64.self)) }
    guard let found = found.first, found.0 == events, found.1 == events else {
      throw Failure("\(found) of \(events) events are in ClickHouse")
    }
    var bytes: UInt64 = 0
    for host in address.hosts {
      let own = try await cluster.client.only([host]).rows(
        "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'figures'"
      ) { try $0.int(UInt64.self) }
      bytes += own.first ?? 0
    }
    return bytes
  }
}
