/// Which shard has what: as a Distributed table with the same weights decides.
package struct ShardMap: Sendable, Equatable {
  package struct Shard: Sendable, Equatable {
    /// As the servers' configuration numbers it, from 1.
    package var number: Int
    package var weight: Int
    /// Over HTTP.
    package var hosts: [ClickHouseAddress.Host]

    package init(number: Int, weight: Int, hosts: [ClickHouseAddress.Host]) {
      (self.number, self.weight, self.hosts) = (number, weight, hosts)
    }
  }

  package let shards: [Shard]
  /// Indexes of shards, each as often as its weight says.
  private let slots: [Int]

  /// - Throws: ``ClickHouseError`` when nothing could be put anywhere.
  package init(_ shards: [Shard]) throws {
    self.shards = shards
    let weight = shards.reduce(0) { $0 + max(0, min($1.weight, 1 << 16)) }
    guard weight > 0, weight <= 1 << 16 else {
      throw ClickHouseError(.setup, "the weights of the shards add up to \(weight): 1 to \(1 << 16) can be used")
    }
    slots = shards.indices.flatMap { Array(repeating: $0, count: max(0, shards[$0].weight)) }
  }

  /// The index in ``shards``.
  package func index(of key: UInt64) -> Int { slots[Int(key % UInt64(slots.count))] }
}
