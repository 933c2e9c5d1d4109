/// The number by which a session is put on a shard. It stands in a column of each row, and the Distributed tables are sharded by
/// that column: so nobody has to agree on a hash with a server, or with another release of one.
package enum ShardKey {
  /// FNV-1a over project and session with a 0 between them, and a last mixing, since a shard is chosen by the lowest digits.
  package static func of(project: String, session: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in project.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = hash &* 0x100_0000_01B3
    for byte in session.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ (hash >> 33)
  }
}
