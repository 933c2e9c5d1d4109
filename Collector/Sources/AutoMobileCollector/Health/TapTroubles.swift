/// Where people tapped in vain: rage taps and dead taps, by screen and by what was tapped.
struct TapTroubles {
  struct Place: Hashable, Sendable {
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
  static let listed = 20

  var all = Sums()
  var places = NamedSums<Place, Sums>.Listed()
  var isPartial = false
  var sessionIds: [Int64: String] = [:]

  /// Lists the places where most was tapped in vain.
  ///
  /// - Parameter taps: the newest first.
  mutating func count(_ taps: some Sequence<Tap>) {
    var byPlace = NamedSums<Place, Sums>()
    for tap in taps {
      let sums = Sums(rage: tap.isRage ? 1 : 0, dead: tap.isRage ? 0 : 1, sessions: [tap.session])
      all.add(sums)
      byPlace[tap.place].add(sums)
      if byPlace[tap.place].event == 0 {
        (byPlace[tap.place].event, byPlace[tap.place].session) = (tap.event, tap.session)
      }
    }
    places = byPlace.listed
    places.sort(first: Self.listed) {
      ($0.sums.rage, $0.sums.dead, $1.name.screen, $1.name.element)
        > ($1.sums.rage, $1.sums.dead, $0.name.screen, $0.name.element)
    }
  }

  struct Tap: Sendable {
    var isRage: Bool
    var place: Place
    var session: Int64
    var event: Int64
  }

  /// - Parameter bySummary: of the same time, sessions that their devices tell of in summaries, and of which not everything is here:
  ///   of them, only what came is counted.
  func write(to json: inout JSONOutput, bySummary: Int64) {
    func write(_ sums: Sums, to json: inout JSONOutput) {
      json.member("rage", sums.rage)
      json.member("dead", sums.dead)
      json.member("sessions", Int64(sums.sessions.count))
    }
    json.object("taps") {
      write(all, to: &$0)
      $0.member("sessionsBySummary", bySummary)
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
