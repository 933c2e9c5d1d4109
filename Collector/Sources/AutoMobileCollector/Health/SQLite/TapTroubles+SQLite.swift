import GRDB

extension TapTroubles {
  init(_ filter: HealthFilter, _ database: Database, most: Int = Self.most) throws {
    var taps: [Tap] = []
    try RawRows.each(
      database,
      sql: """
        SELECT kind, screen, element, session, event FROM tap_trouble
        WHERE timestamp >= ? AND timestamp < ?\(try filter.builds(database).sql) ORDER BY timestamp DESC LIMIT ?
        """, arguments: [filter.from, filter.to, most]
    ) { row in
      taps.append(
        Tap(
          isRage: row.text(0) == "\(Measurement.rageTap)", place: Place(screen: row.text(1), element: row.text(2)),
          session: row.integer(3), event: row.integer(4)))
    }
    isPartial = taps.count == most
    count(taps)
    for (_, sums) in places.listed {
      sessionIds[sums.session] = try String.fetchOne(
        database, sql: "SELECT sessionId FROM session WHERE id = ?", arguments: [sums.session])
    }
  }
}
