import GRDB

extension TapTroubles {
  init(_ filter: HealthFilter, _ database: Database, most: Int = Self.most) throws {
    var rows = 0
    var byPlace = NamedSums<Place, Sums>()
    try RawRows.each(
      database,
      sql: """
        SELECT kind, screen, element, session, event FROM tap_trouble
        WHERE timestamp >= ? AND timestamp < ?\(try filter.builds(database).sql) ORDER BY timestamp DESC LIMIT ?
        """, arguments: [filter.from, filter.to, most]
    ) { row in
      rows += 1
      let isRage = row.text(0) == "\(Measurement.rageTap)"
      let sums = Sums(rage: isRage ? 1 : 0, dead: isRage ? 0 : 1, sessions: [row.integer(3)])
      all.add(sums)
      let place = Place(screen: row.text(1), element: row.text(2))
      byPlace[place].add(sums)
      if byPlace[place].event == 0 {
        byPlace[place].event = row.integer(4)
        byPlace[place].session = row.integer(3)
      }
    }
    isPartial = rows == most
    places = byPlace.listed
    places.sort(first: Self.listed) {
      ($0.sums.rage, $0.sums.dead, $1.name.screen, $1.name.element)
        > ($1.sums.rage, $1.sums.dead, $0.name.screen, $0.name.element)
    }
    for (_, sums) in places.listed {
      sessionIds[sums.session] = try String.fetchOne(
        database, sql: "SELECT sessionId FROM session WHERE id = ?", arguments: [sums.session])
    }
  }
}
