import AutoMobileClickHouse

extension NetworkStatistics {
  /// Requests that are counted, the newest.
  private static let most = 200_000

  private struct Counted: Sendable {
    var endpoint: Endpoint
    var sums: Sums
    var times: [Int64]
    var failed: [UInt8]
  }

  init(_ selection: ClickHouseRequestSelection, _ reading: ClickHouseReading) async throws {
    let columns: [SQLName] = ["host", "route", "method", "failed", "duration", "sent", "got", "timestamp"]
    let rows = selection.rows(columns, after: nil, limit: Self.most)
    let found = try await reading.ordered(
      rows, selecting: columns.map { "\($0)" },
      { rows in
        """
        SELECT host, route, method, groupArray(ifNull(duration, -1)), sum(ifNull(sent, 0)), sum(ifNull(got, 0)), \
        groupArray(timestamp), groupArray(failed) FROM (\(rows)) GROUP BY host, route, method
        """
      }, count: { $0.reduce(0) { $0 + $1.times.count } }
    ) { row in
      let endpoint = Endpoint(host: try row.string(), route: try row.string(), method: try row.string())
      var sums = Sums()
      sums.durations = try row.array { try $0.int(Int64.self) }.filter { $0 >= 0 }
      sums.sent = try row.int()
      sums.received = try row.int()
      let times = try row.array { try $0.int(Int64.self) }
      let failed = try row.array { try $0.int(UInt8.self) }
      sums.count = Int64(times.count)
      sums.failed = failed.reduce(0) { $0 + Int64($1) }
      return Counted(endpoint: endpoint, sums: sums, times: times, failed: failed)
    }
    self.init()
    var byRoute = NamedSums<Endpoint, Sums>()
    for counted in found { byRoute[counted.endpoint] = counted.sums }
    isPartial = found.reduce(0) { $0 + $1.times.count } == Self.most
    list(byRoute) {
      $0.host
    } endpoint: {
      $0
    } hostName: {
      $0
    }
    count(found.flatMap { zip($0.times, $0.failed).map { (at: $0, failed: $1 != 0) } })
  }
}
