/// Requests that failed, and the routes that are slowest: over the newest of the time that is asked for.
struct RequestHealth {
  typealias Sums = NetworkStatistics.Sums

  /// Requests that are counted.
  static let most = 200_000
  static let listed = 10

  var all = Sums()
  /// Of these, such as are not here: a summary tells of them.
  var told = ToldRequests()
  /// Those that are here, by the first digit of their status; at 0, those without an answer.
  var classes = [Int64](repeating: 0, count: 10)
  var isPartial = false
  var versions = NamedSums<AppVersion, Sums>()
  var failing: [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] = []
  var slowest: [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] = []

  func write(to json: inout JSONOutput) {
    json.object("requests") {
      all.writeMembers(to: &$0)
      $0.member("bySummary", told.sums.count)
      $0.object("statuses") { json in
        for (index, status) in SessionSummary.statuses.enumerated() {
          // The last is those without an answer.
          let count = classes[(index + 1) % 10] + (told.statuses[status] ?? 0)
          if count > 0 { json.member(status, count) }
        }
      }
      $0.member("partial", isPartial)
      $0.versions(versions.listed) { _, sums, json in sums.writeMembers(to: &json) }
      for (name, list) in [("failing", failing), ("slowest", slowest)] {
        $0.array(name) {
          for (endpoint, sums) in list {
            $0.object {
              $0.member("host", endpoint.host)
              $0.member("route", endpoint.route)
              $0.member("method", endpoint.method)
              sums.writeMembers(to: &$0)
            }
          }
        }
      }
    }
  }
}

extension RequestHealth {
  /// Those of which most is said.
  ///
  /// - Parameter order: of two of which as much is said, the first.
  static func most<Route>(
    of routes: [Route: Sums], by key: (Sums) -> Int64, order: (Route, Route) -> Bool
  ) -> [(route: Route, sums: Sums)] {
    routes.map { (route: $0.key, sums: $0.value, key: key($0.value)) }.sorted {
      let (one, other) = (($0.key, $0.sums.count), ($1.key, $1.sums.count))
      return one == other ? order($0.route, $1.route) : one > other
    }.prefix(listed).map { ($0.route, $0.sums) }
  }
}
