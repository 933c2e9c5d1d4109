import AutoMobileClickHouse

/// A place is the number of a look (``LookMark``): reports come to their issues in the order of these, whenever their shards had them.
extension ClickHouseIssues: IssueArrivals {
  private static let mostTimes = 50_000

  func newest() async throws -> Int64 { try await state.state.read { try LookMark(in: $0).confirmed } }

  func arrived(after place: Int64, version: String?, limit: Int) async throws -> ArrivedReports {
    let confirmed = try await newest()
    guard confirmed > place else { return ArrivedReports(upTo: place) }
    // What was moved has happened before, and is no news.
    let moved = try await state.state.read { try WriterList.moved(in: $0) }
    return try await readOwn { rows in
      let statement = rows.reading.copies(
        "looked", of: TelemetryTables.reports, ["looked > \(place)", "looked <= \(confirmed)"],
        "ORDER BY looked LIMIT \(count: limit), 1")
      let edge = try await rows.reading.rows(statement) { try $0.int(Int64.self) }.first
      // A look is there as a whole.
      let upTo = edge.map { max($0 - 1, place + 1) } ?? confirmed
      var arrived = ArrivedReports(
        touched: try await rows.touched(after: place, upTo: upTo, version: version, besides: moved), upTo: upTo,
        isPartial: upTo < confirmed)
      let known = try await rows.known(arrived.touched.map(\.issue.name), before: place)
      for index in arrived.touched.indices {
        arrived.touched[index].isKnown = known.contains(arrived.touched[index].issue.name)
      }
      return arrived
    }
  }

  func row(of issue: String) async throws -> IssueRow? { try await readOwn { try await $0.described([issue]).first } }

  func times(of issue: String, from: Int64, to: Int64, version: String?) async throws -> [Int64] {
    try await readOwn { rows in
      var found = rows.rows(["timestamp", "version"], of: [issue])
      found.range += ["timestamp > \(from)", "timestamp <= \(to)"]
      if let version { found.range.append("version = \(text: version)") }
      found.order = ["timestamp DESC"]
      found.limit = Self.mostTimes
      return try await rows.reading.rows(rows.reading.distinct(found, selecting: ["timestamp"])) {
        try $0.int(Int64.self)
      }.reversed()
    }
  }
}

extension IssueRows {
  /// - Parameter writers: whose reports do not count.
  fileprivate func touched(
    after place: Int64, upTo: Int64, version: String?, besides writers: [Int64]
  ) async throws -> [TouchedIssue] {
    var rows = rows(["project", "timestamp", "version", "looked"])
    rows.range += ["looked > \(place)", "project NOT LIKE 'file %'"]
    // Of one that two have looked at, because one lost the turn, the later look counts.
    rows.filter.append("looked <= \(upTo)")
    if let version { rows.range.append("version = \(text: version)") }
    if !writers.isEmpty { rows.range.append("NOT has(\(SQLValue.ints(writers)), toInt64(id % \(FrameNumbers.step)))") }
    let statement = statement(rows, ["id", "timestamp", "ifNull(version, '') AS said"]).inside {
      """
      SELECT issue, toInt64(count()), min(id) AS came, min(timestamp), max(timestamp), any(said) FROM (\($0)) \
      GROUP BY issue ORDER BY came
      """
    }
    let found = try await reading.rows(statement) { row in
      (
        issue: try row.string(), reports: try row.int(Int64.self), event: try row.int(Int64.self),
        first: try row.int(Int64.self), last: try row.int(Int64.self), version: try row.string()
      )
    }
    let issues = Dictionary(
      try await described(found.map(\.issue)).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return found.compactMap { one in
      issues[one.issue].map {
        TouchedIssue(
          issue: $0, reports: one.reports, event: one.event, first: one.first, last: one.last,
          version: one.version.isEmpty ? nil : one.version, isKnown: false)
      }
    }
  }

  /// Which of these issues had reports at a place already.
  fileprivate func known(_ issues: [String], before place: Int64) async throws -> Set<String> {
    guard !issues.isEmpty else { return [] }
    var rows = rows(["looked"], of: issues)
    rows.range.append("looked <= \(place)")
    let statement = statement(rows, []).inside { "SELECT DISTINCT issue FROM (\($0))" }
    return Set(try await reading.rows(statement) { try $0.string() })
  }
}
