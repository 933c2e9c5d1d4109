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
    var (rows, own, bytes): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for host in address.hosts {
      let shard = cluster.client.only([host])
      // All of a launch's session is on one shard, so that its events are counted there: all at once were more than a server's memory.
      let counts = try await shard.rows(
        """
        SELECT sum(rows), sum(own) FROM (SELECT count() AS rows, uniqExact(position) AS own \
        FROM \(cluster.database).\(TelemetryTables.events.localName) GROUP BY session, launch)
        """
      ) { (try $0.int(UInt64.self), try $0.int(UInt64.self)) }
      for (all, distinct) in counts { (rows, own) = (rows + all, own + distinct) }
      let disk = try await shard.rows(
        "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'figures'"
      ) { try $0.int(UInt64.self) }
      bytes += disk.first ?? 0
    }
    guard rows == events, own == events else { throw Failure("\(rows), \(own) of \(events) events are in ClickHouse") }
    return bytes
  }
}
