import AutoMobileClickHouse

extension RequestHealth {
  private struct Counted: Sendable {
    var endpoint: NetworkStatistics.Endpoint
    var version: AppVersion
    /// The first digit of the status.
    var digit: Int
    var sums: Sums
  }

  init(_ filter: HealthFilter, _ reading: ClickHouseReading, most: Int = Self.most) async throws {
    let found = try await Self.counted(filter, reading, most)
    var routes: [NetworkStatistics.Endpoint: Sums] = [:]
    for counted in found {
      all.add(counted.sums)
      versions[counted.version].add(counted.sums)
      routes[counted.endpoint, default: Sums()].add(counted.sums)
      classes[counted.digit] += counted.sums.count
    }
    isPartial = all.count == Int64(most)
    told = try await ToldRequests(filter, reading)
    isPartial = isPartial || told.isPartial
    for (app, sums) in told.versions { versions[app].add(sums) }
    all.add(told.sums)
    for route in routes.keys { routes[route]?.order() }
    func before(_ one: NetworkStatistics.Endpoint, _ other: NetworkStatistics.Endpoint) -> Bool {
      (one.host, one.route, one.method) < (other.host, other.route, other.method)
    }
    failing = Self.most(of: routes.filter { $0.value.failed > 0 }, by: { $0.failed }, order: before)
      .map { (endpoint: $0.route, sums: $0.sums) }
    slowest = Self.most(
      of: routes.filter { !$0.value.durations.isEmpty }, by: { $0.percentile(95) ?? 0 }, order: before
    ).map { (endpoint: $0.route, sums: $0.sums) }
  }

  private static func counted(
    _ filter: HealthFilter, _ reading: ClickHouseReading, _ most: Int
  ) async throws -> [Counted] {
    let columns: [SQLName] = [
      "host", "route", "method", "bundle", "version", "status", "failed", "duration", "sent", "got", "timestamp",
    ]
    var rows = DistinctRows(TelemetryTables.requests, columns)
    rows.range = filter.rows
    let ordered = OrderedRows(rows, by: "timestamp", isAscending: false, after: nil, limit: most)
    return try await reading.ordered(
      ordered, selecting: columns.map { "\($0)" },
      { rows in
        """
        SELECT host, route, method, bundle, version, \
        toInt64(if(ifNull(status, 0) >= 100 AND ifNull(status, 0) <= 999, intDiv(ifNull(status, 0), 100), 0)) AS digit, \
        count(), sum(failed), sum(ifNull(sent, 0)), sum(ifNull(got, 0)), groupArray(ifNull(duration, -1)) \
        FROM (\(rows)) GROUP BY host, route, method, bundle, version, digit
        """
      }, count: { $0.reduce(0) { $0 + Int($1.sums.count) } }
    ) { row in
      Counted(
        endpoint: NetworkStatistics.Endpoint(host: try row.string(), route: try row.string(), method: try row.string()),
        version: AppVersion(try row.string(), try row.string()), digit: Int(try row.int(Int64.self)),
        sums: Sums(
          count: Int64(clamping: try row.int(UInt64.self)), failed: Int64(clamping: try row.int(UInt64.self)),
          sent: try row.int(), received: try row.int(),
          durations: try row.array { try $0.int(Int64.self) }.filter { $0 >= 0 }))
    }
  }
}
