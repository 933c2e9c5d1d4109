import GRDB

/// Requests that failed, and the routes that are slowest: over the newest of the time that is asked for.
struct RequestHealth {
  typealias Sums = NetworkStatistics.Sums

  private struct Route: Hashable, Sendable {
    var route: Int64
    var method: String
  }

  /// Requests that are counted.
  static let most = 200_000
  private static let listed = 10

  private(set) var all = Sums()
  /// Of these, such as are not here: a summary tells of them.
  private var told = ToldRequests()
  /// Those that are here, by the first digit of their status; at 0, those without an answer.
  private var classes = [Int64](repeating: 0, count: 10)
  private(set) var isPartial = false
  private var versions = NamedSums<AppVersion, Sums>()
  private var failing: [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] = []
  private var slowest: [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] = []

  init(_ filter: HealthFilter, _ database: Database, most: Int = Self.most) throws {
    let session = try database.cachedStatement(sql: "SELECT bundleId, appVersion FROM session WHERE id = ?")
    var apps: [Int64: AppVersion] = [:]
    var routes: [Route: Sums] = [:]
    var rows = 0
    // Of one app the newest, not what is its among the newest of all.
    let isNarrow = filter.bundleId != nil || filter.version != nil
    let own =
      isNarrow
      ? """
       CROSS JOIN session ON session.id = network.session
        AND (?4 IS NULL OR session.bundleId = ?4) AND (?5 IS NULL OR session.appVersion = ?5)
      """ : ""
    try RawRows.each(
      database,
      sql: """
        SELECT network.session, network.route, network.method, network.failed, network.duration, network.sent,
          network.received, network.status
        FROM network\(own)
        WHERE network.timestamp >= ?1 AND network.timestamp < ?2 ORDER BY network.timestamp DESC LIMIT ?3
        """,
      arguments: [filter.from, filter.to, most]
        + (isNarrow ? StatementArguments([filter.bundleId, filter.version]) : [])
    ) { row in
      rows += 1
      let id = row.integer(0)
      if apps[id] == nil { apps[id] = try Row.fetchOne(session, arguments: [id]).map { AppVersion($0[0], $0[1]) } }
      guard let app = apps[id], filter.admits(app: app.bundleId, version: app.version) else { return }
      var sums = Sums()
      sums.add(
        failed: row.integer(3) != 0, duration: row.optionalInteger(4), sent: row.integer(5), received: row.integer(6))
      all.add(sums)
      let status = row.integer(7)
      classes[(100...999).contains(status) ? Int(status / 100) : 0] += 1
      versions[app].add(sums)
      routes[Route(route: row.integer(1), method: row.text(2)), default: Sums()].add(sums)
    }
    isPartial = rows == most
    told = try ToldRequests(filter, database)
    isPartial = isPartial || told.isPartial
    for (app, sums) in told.versions { versions[app].add(sums) }
    all.add(told.sums)
    failing = try Self.named(routes.filter { $0.value.failed > 0 }, database) { $0.failed }
    slowest = try Self.named(routes.filter { !$0.value.durations.isEmpty }, database) { $0.percentile(95) ?? 0 }
  }

  /// Those of which most is said, by their names.
  private static func named(
    _ routes: [Route: Sums], _ database: Database, by key: (Sums) -> Int64
  ) throws -> [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] {
    let find = try database.cachedStatement(
      sql: """
        SELECT network_host.name, pattern FROM network_route JOIN network_host ON network_host.id = network_route.host
        WHERE network_route.id = ?
        """)
    let sorted = routes.map { (route: $0.key, sums: $0.value, key: key($0.value)) }.sorted {
      ($0.key, $0.sums.count, $1.route.route, $1.route.method) > (
        $1.key, $1.sums.count, $0.route.route, $0.route.method
      )
    }
    return try sorted.prefix(listed).compactMap { route, sums, _ in
      try Row.fetchOne(find, arguments: [route.route]).map {
        (NetworkStatistics.Endpoint(host: $0[0], route: $0[1], method: route.method), sums)
      }
    }
  }

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
