import AutoMobileClickHouse

extension TapTroubles {
  /// Of a tap whose event does not say on which screen it was, it is not known: SQLite's index looks for the last navigation before it when
  /// it takes the event in.
  init(_ filter: HealthFilter, _ reading: ClickHouseReading, most: Int = Self.most) async throws {
    let columns: [SQLName] = ["kind", "name", "element", "shard", "session", "id", "timestamp", "bundle", "version"]
    var rows = DistinctRows(TelemetryTables.measurements, columns)
    rows.range = ["kind IN ('rage_tap', 'dead_tap')"] + filter.rows
    let ordered = OrderedRows(rows, by: "timestamp", isAscending: false, after: nil, limit: most)
    let found = try await reading.ordered(
      ordered, selecting: ["kind", "name", "element", "shard", "id", "session"]
    ) { row in
      (
        tap: Tap(
          isRage: try row.string() == "\(Measurement.rageTap)",
          place: Place(screen: try row.string(), element: try row.string()),
          session: Int64(bitPattern: try row.int(UInt64.self)), event: try row.int()), session: try row.string()
      )
    }
    isPartial = found.count == most
    count(found.lazy.map(\.tap))
    let listed = Set(places.listed.map(\.sums.session))
    for (tap, session) in found where listed.contains(tap.session) { sessionIds[tap.session] = session }
  }
}
