/// What of ClickHouse's SQL there is: two forms of the same tables.
package enum Dialect: String, Sendable, CaseIterable {
  /// What 18.16 understands, which Debian has, and every release since.
  case plain
  /// With types, compression and indexes of today's releases.
  case current

  /// Older ones lack what even the plain form needs.
  static let oldest = ClickHouseVersion(18, 16)
  /// Maps, deduplication without replicas, compression by column: all of it is there for good.
  static let oldestCurrent = ClickHouseVersion(23, 3)
  /// Parameters are told from settings.
  static let oldestWithParameters = ClickHouseVersion(20, 1)

  /// - Throws: ``ClickHouseError`` when the server is too old.
  package static func of(_ version: ClickHouseVersion) throws -> Dialect {
    guard version >= oldest else {
      throw ClickHouseError(.setup, "ClickHouse \(version) is too old: \(oldest) is the oldest that can be used")
    }
    return version >= oldestCurrent ? .current : .plain
  }
}
