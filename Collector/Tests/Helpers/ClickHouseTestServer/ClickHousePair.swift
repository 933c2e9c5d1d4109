import AutoMobileClickHouse
import Foundation

/// Two servers that are two shards of the cluster `pair`, and, with weights 1 and 3, of `weighted`.
package final class ClickHousePair: Sendable {
  /// For all tests that kill none of them; each has a database of its own.
  package static var shared: ClickHousePair { get async throws { try await started.value } }
  private static let started = Task { try await ClickHousePair() }

  package let servers: [ClickHouseServer]

  package init(profile: String = "") async throws {
    let ports = try await ClickHouseServer.freePorts(4)
    servers = [
      try ClickHouseServer(http: ports[0], tcp: ports[1]), try ClickHouseServer(http: ports[2], tcp: ports[3]),
    ]
    func cluster(_ weights: [Int]) -> String {
      zip(servers, weights).map { server, weight in
        """
        <shard><weight>\(weight)</weight><replica><host>127.0.0.1</host><port>\(server.tcp)</port>
        <user>\(ClickHouseServer.user)</user><password>\(ClickHouseServer.xml(ClickHouseServer.password))</password>
        </replica></shard>
        """
      }.joined()
    }
    let replica = "<replica><host>127.0.0.1</host><port>\(servers[0].tcp)</port></replica>"
    for server in servers {
      try server.configure(
        clusters: """
          <pair>\(cluster([1, 1]))</pair><weighted>\(cluster([1, 3]))</weighted>
          <doubled><shard>\(replica)\(replica)</shard></doubled>
          """, profile: profile)
    }
    for server in servers { try await server.start() }
  }

  package func address(_ database: String, cluster: String? = "pair") throws -> ClickHouseAddress {
    var address = try servers[0].address(database)
    address.hosts = servers.map(\.http)
    address.cluster = try cluster.map { try SQLName(checking: $0) }
    return address
  }

  /// Opens a cluster with a database of its own, for as long as `body` takes.
  package func with(
    cluster name: String = "pair", database: String = "test_\(UUID().uuidString.prefix(8))",
    _ body: (ClickHouseCluster) async throws -> Void
  ) async throws {
    let cluster = try await ClickHouseCluster.open(try address(database, cluster: name))
    do {
      try await body(cluster)
    } catch {
      try await cluster.shutdown()
      throw error
    }
    try await cluster.shutdown()
  }
}

extension ClickHouseServer {
  package func with(_ body: (ClickHouseClient) async throws -> Void) async throws {
    let client = ClickHouseClient(try address())
    do {
      try await body(client)
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }
}
