import GRDB

/// Where people tapped in vain: rage taps and dead taps, by screen and by what was tapped.
struct TapTroubles {
  private struct Place: Hashable, Sendable {
    var screen: String
    var element: String
  }

  struct Sums: Summable {
    var rage: Int64 = 0
    var dead: Int64 = 0
    var sessions: Set<Int64> = []
    /// The last one.
    var event: Int64 = 0
    var session: Int64 = 0

    var count: Int64 { rage + dead }

    mutating func add(_ other: Sums) {
      rage += other.rage
      dead += other.dead
      sessions.formUnion(other.sessions)
    }
  }

  /// Taps that are counted, the newest.
  static let most = 200_000
  private static let listed = 20

  private(set) var all = Sums()
  private var places = NamedSums<Place, Sums>.Listed()
  private(set) var isPartial = false
  private var sessionIds: [Int64: String] = [:]

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
      let isRage = row.text(0) == "\(HealthWriter.rageTap)"
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

  func write(to json: inout JSONOutput) {
    func write(_ sums: Sums, to json: inout JSONOutput) {
      json.member("rage", sums.rage)
      json.member("dead", sums.dead)
      json.member("sessions", Int64(sums.sessions.count))
    }
    json.object("taps") {
      write(all, to: &$0)
      $0.member("partial", isPartial)
      $0.array("places") {
        for (place, sums) in places.listed {
          $0.object {
            $0.member("screen", place.screen)
            $0.member("element", place.element)
            write(sums, to: &$0)
            $0.member("event", sums.event)
            $0.member("sessionId", sessionIds[sums.session])
          }
        }
      }
      if places.names > 0 {
        $0.object("otherPlaces") {
          $0.member("names", Int64(places.names))
          write(places.others, to: &$0)
        }
      }
    }
  }
}
