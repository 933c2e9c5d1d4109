import GRDB

extension NetworkStatistics {
  init(_ filter: NetworkFilter, hasFullText: Bool, _ database: Database) throws {
    var filter = filter
    filter.order = .newest
    var byRoute = NamedSums<Key, Sums>()
    var methods = MethodNames()
    var times: [(at: Int64, failed: Bool)] = []
    var cursor: PageCursor?
    // Windows are half as large as what is counted.
    for _ in 0..<2 {
      var selection = try NetworkSelection(filter, hasFullText: hasFullText, database)
      cursor = try selection.page(after: cursor, database)
      try RawRows.each(
        database,
        sql: """
          SELECT network.route, network.method, network.failed, network.duration, network.sent, network.received,
            network.timestamp, network.host FROM \(selection.source)\(selection.whereClause)
          """, arguments: selection.arguments
      ) { row in
        let failed = row.integer(2) != 0
        byRoute[Key(route: row.integer(0), host: row.integer(7), method: methods.number(row, 1))]
          .add(failed: failed, duration: row.optionalInteger(3), sent: row.integer(4), received: row.integer(5))
        times.append((row.integer(6), failed))
      }
      if cursor == nil { break }
    }
    isPartial = cursor != nil
    try name(byRoute, methods.names, database)
    count(times)
  }

  private struct Key: Hashable {
    var route: Int64
    var host: Int64
    /// One of ``MethodNames``.
    var method: Int
  }

  private mutating func name(_ byRoute: NamedSums<Key, Sums>, _ methods: [String], _ database: Database) throws {
    let pattern = try database.cachedStatement(
      sql: """
        SELECT network_host.name, pattern FROM network_route JOIN network_host ON network_host.id = network_route.host
        WHERE network_route.id = ?
        """)
    let name = try database.cachedStatement(sql: "SELECT name FROM network_host WHERE id = ?")
    try list(byRoute) {
      $0.host
    } endpoint: { key in
      try Row.fetchOne(pattern, arguments: [key.route]).map {
        Endpoint(host: $0[0], route: $0[1], method: methods[key.method])
      }
    } hostName: {
      try String.fetchOne(name, arguments: [$0])
    }
  }
}
