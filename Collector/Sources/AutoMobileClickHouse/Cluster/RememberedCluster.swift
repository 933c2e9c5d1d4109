/// What was found out about a cluster when its servers answered: enough to begin without them, and to bring them their rows later.
package struct RememberedCluster: Codable, Sendable, Equatable {
  private struct Shard: Codable, Sendable, Equatable {
    var number: Int
    var weight: Int
    /// Name and port of each.
    var names: [String]
    var ports: [Int]
  }

  /// Of the oldest server.
  private var version: [Int]
  private var dialect: String
  private var shards: [Shard]
  /// Name and value of each.
  private var settings: [[String]]

  init(_ map: ShardMap, _ dialect: Dialect, _ version: ClickHouseVersion, _ settings: [(String, String)]) {
    self.version = [version.major, version.minor]
    self.dialect = dialect.rawValue
    shards = map.shards.map {
      Shard(number: $0.number, weight: $0.weight, names: $0.hosts.map(\.name), ports: $0.hosts.map(\.port))
    }
    self.settings = settings.map { [$0.0, $0.1] }
  }

  /// Whether what is in these shards is where rows of today's would go: what came twice drops out on one shard only.
  ///
  /// - Parameter now: the same servers as they say that they are.
  /// - Returns: what has become otherwise, for people; nil: nothing.
  package func change(to now: RememberedCluster) -> String? {
    func text(_ shards: [Shard]) -> String {
      shards.map { "\($0.number) (weight \($0.weight))" }.joined(separator: ", ")
    }
    guard text(shards) == text(now.shards) else {
      return "it was filled with the shards \(text(shards)), and has \(text(now.shards)) now"
    }
    func places(_ shards: [Shard]) -> [(host: String, shard: Int)] {
      shards.flatMap { shard in zip(shard.names, shard.ports).map { (host: "\($0):\($1)", shard: shard.number) } }
    }
    let known = Dictionary(places(shards).map { ($0.host, $0.shard) }, uniquingKeysWith: { first, _ in first })
    for (host, shard) in places(now.shards) {
      if let before = known[host], before != shard { return "\(host) was shard \(before), and is shard \(shard) now" }
    }
    return nil
  }

  /// - Throws: ``ClickHouseError`` when another version of this program wrote it.
  func read() throws -> (
    map: ShardMap, dialect: Dialect, version: ClickHouseVersion, settings: [(String, String)]
  ) {
    guard let dialect = Dialect(rawValue: dialect), version.count == 2, settings.allSatisfy({ $0.count == 2 }) else {
      throw ClickHouseError(.setup, "what was remembered of the servers cannot be read")
    }
    let map = try ShardMap(
      shards.map { shard in
        .init(
          number: shard.number, weight: shard.weight,
          hosts: zip(shard.names, shard.ports).map { ClickHouseAddress.Host($0, $1) })
      })
    return (map, dialect, ClickHouseVersion(version[0], version[1]), settings.map { ($0[0], $0[1]) })
  }
}
