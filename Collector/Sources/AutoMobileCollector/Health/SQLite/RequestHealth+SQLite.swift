import GRDB

extension RequestHealth {
  private struct Route: Hashable, Sendable {
    var route: Int64
    /// One of ``MethodNames``.
    var method: Int
  }

  init(_ filter: HealthFilter, _ database: Database, most: Int = Self.most) throws {
    var sessions = SessionVersions(filter)
    var methods = MethodNames()
    var routes: [Route: Sums] = [:]
    var rows = 0
    try RawRows.some(
      database,
      sql: """
        SELECT network.session, network.route, network.method, network.failed, network.duration, network.sent,
          network.received, network.status
        FROM \(try Self.source(filter, database, most: most))
        """,
      arguments: [filter.from, filter.to]
    ) { row in
      // Of one app the newest, not what is its among the newest of all.
      guard let version = try sessions.version(of: row.integer(0), database) else {
        rows += sessions.isNarrow ? 0 : 1
        return rows < most
      }
      rows += 1
      let (failed, duration) = (row.integer(3) != 0, row.optionalInteger(4))
      let (sent, received) = (row.integer(5), row.integer(6))
      sessions.versions[version].sums.add(failed: failed, duration: duration, sent: sent, received: received)
      routes[Route(route: row.integer(1), method: methods.number(row, 2)), default: Sums()]
        .add(failed: failed, duration: duration, sent: sent, received: received)
      let status = row.integer(7)
      classes[(100...999).contains(status) ? Int(status / 100) : 0] += 1
      return rows < most
    }
    isPartial = rows == most
    for (app, sums) in sessions.versions {
      var sums = sums
      sums.order()
      versions[app].add(sums)
      all.add(sums)
    }
    told = try ToldRequests(filter, database)
    isPartial = isPartial || told.isPartial
    for (app, sums) in told.versions { versions[app].add(sums) }
    all.add(told.sums)
    for route in routes.keys { routes[route]?.order() }
    failing = try Self.named(routes.filter { $0.value.failed > 0 }, methods.names, database) { $0.failed }
    slowest = try Self.named(routes.filter { !$0.value.durations.isEmpty }, methods.names, database) {
      $0.percentile(95) ?? 0
    }
  }

  /// The requests of the time that is asked for, in the order of the table where that is the shorter way: each step through an index is a
  /// search in the table. When not all are counted, these are the newest that came, as long as none is newer than the time, and else
  /// the newest.
  static func source(_ filter: HealthFilter, _ database: Database, most: Int) throws -> String {
    let time = "network.timestamp >= ?1 AND network.timestamp < ?2"
    // Of one app the newest may be far back in the table. And behind the wall the table is a view: NOT INDEXED says nothing there, so
    // that SQLite sorts, and holds, all rows of the time; and to count its rows is to look at everybody's.
    let isView = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_master WHERE type = 'view' AND name = 'network')"
    if try filter.bundleId != nil || filter.version != nil || Bool.fetchOne(database, sql: isView) ?? false {
      return "network WHERE \(time) ORDER BY network.timestamp DESC"
    }
    func count(_ condition: String, _ arguments: StatementArguments, limit: Int) throws -> Int {
      try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM network\(condition) LIMIT \(limit))", arguments: arguments)
        ?? 0
    }
    let meant = try count(" WHERE \(time)", [filter.from, filter.to], limit: most + 1)
    if meant > most {
      let newest = try Int64.fetchOne(database, sql: "SELECT MAX(timestamp) FROM network") ?? 0
      return newest < filter.to
        ? "network NOT INDEXED WHERE \(time) ORDER BY network.event DESC"
        : "network WHERE \(time) ORDER BY network.timestamp DESC"
    }
    guard try count("", [], limit: 2 * meant + 1) <= 2 * meant else { return "network WHERE \(time)" }
    return "network NOT INDEXED WHERE \(time)"
  }

  /// Those of which most is said, by their names.
  private static func named(
    _ routes: [Route: Sums], _ methods: [String], _ database: Database, by key: (Sums) -> Int64
  ) throws -> [(endpoint: NetworkStatistics.Endpoint, sums: Sums)] {
    let find = try database.cachedStatement(
      sql: """
        SELECT network_host.name, pattern FROM network_route JOIN network_host ON network_host.id = network_route.host
        WHERE network_route.id = ?
        """)
    let most = most(of: routes, by: key) { ($0.route, methods[$0.method]) < ($1.route, methods[$1.method]) }
    return try most.compactMap { route, sums in
      try Row.fetchOne(find, arguments: [route.route]).map {
        (NetworkStatistics.Endpoint(host: $0[0], route: $0[1], method: methods[route.method]), sums)
      }
    }
  }
}
