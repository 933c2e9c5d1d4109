/// What the hosts of an address say of themselves.
struct ClusterHosts: Sendable {
  /// Of the oldest server.
  var version: ClickHouseVersion
  var answering: [ClickHouseAddress.Host] = []
  /// Who does not answer now.
  var silent: [ClickHouseAddress.Host] = []

  /// - Throws: ``ClickHouseError`` when none of them answers.
  static func ask(_ client: ClickHouseClient) async throws -> ClusterHosts {
    var hosts = ClusterHosts(version: ClickHouseVersion(.max, .max))
    var failure = ClickHouseError(.setup, "there is no host to ask")
    for host in client.hosts {
      do {
        hosts.version = min(hosts.version, try await client.only([host]).version())
        hosts.answering.append(host)
      } catch let error as ClickHouseError where error.isOfHost || error.kind == .timeout {
        failure = error
        hosts.silent.append(host)
      }
    }
    guard !hosts.answering.isEmpty else { throw failure }
    return hosts
  }

  // MARK: Shards

  private struct Row: Sendable {
    var shard: Int
    var weight: Int
    var isLocal: Bool
  }

  /// Each host says which shard it is itself: so nobody has to write that down a second time. Of one that is silent it is known
  /// when all others are.
  ///
  /// - Throws: ``ClickHouseError`` when they are no cluster that can be used.
  func shards(of cluster: SQLName?, _ client: ClickHouseClient) async throws -> ShardMap {
    guard let cluster else {
      guard client.hosts.count == 1 else {
        throw ClickHouseError(.setup, "several hosts are a cluster: say ?cluster= and its name in their configuration")
      }
      return try ShardMap([.init(number: 1, weight: 1, hosts: client.hosts)])
    }
    var hosts: [Int: [ClickHouseAddress.Host]] = [:]
    var weights: [Int: Int] = [:]
    for host in answering {
      let rows = try await Self.rows(of: cluster, client.only([host]), host)
      let here = Dictionary(rows.map { ($0.shard, $0.weight) }, uniquingKeysWith: { one, _ in one })
      guard weights.isEmpty || weights == here else {
        throw ClickHouseError(
          .setup, "it knows other shards or weights than the other hosts", host: host.description)
      }
      weights = here
      guard let own = rows.first(where: \.isLocal) else {
        throw ClickHouseError(.setup, "it does not find itself in the cluster", host: host.description)
      }
      hosts[own.shard, default: []].append(host)
    }
    let missing = weights.keys.filter { hosts[$0] == nil }.sorted()
    if missing.count == 1, silent.count == 1 {
      hosts[missing[0]] = silent
    } else if !missing.isEmpty {
      let quiet = silent.isEmpty ? "" : "; \(silent.map(\.description).joined(separator: ", ")) does not answer"
      throw ClickHouseError(
        silent.isEmpty ? .setup : .connection,
        "the address names no host of shard \(missing.map(String.init).joined(separator: ", "))\(quiet)")
    }
    return try ShardMap(
      weights.sorted { $0.key < $1.key }.map { .init(number: $0.key, weight: $0.value, hosts: hosts[$0.key] ?? []) })
  }

  private static func rows(
    of cluster: SQLName, _ client: ClickHouseClient, _ host: ClickHouseAddress.Host
  ) async throws -> [Row] {
    let rows = try await client.rows(
      """
      SELECT toUInt32(shard_num), toUInt32(shard_weight), toUInt8(is_local) FROM system.clusters \
      WHERE cluster = \(text: cluster.text) ORDER BY shard_num
      """
    ) { Row(shard: Int(try $0.int(UInt32.self)), weight: Int(try $0.int(UInt32.self)), isLocal: try $0.bool()) }
    guard !rows.isEmpty else {
      throw ClickHouseError(.setup, "it knows no cluster of this name", host: host.description)
    }
    for (row, next) in zip(rows, rows.dropFirst()) where row.shard == next.shard {
      throw ClickHouseError(
        .setup, "shard \(row.shard) has several replicas, and the tables made here are not replicated",
        host: host.description)
    }
    return rows
  }
}
