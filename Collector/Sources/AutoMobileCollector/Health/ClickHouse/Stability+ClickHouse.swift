import AutoMobileClickHouse

extension Stability {
  /// Of a session that has been put together with `said_types`: something happened in it. One of which only a summary came counts as any
  /// other.
  static let isKnownThere: SQL = "arrayExists(type -> type != 'breadcrumb', said_types)"
}
