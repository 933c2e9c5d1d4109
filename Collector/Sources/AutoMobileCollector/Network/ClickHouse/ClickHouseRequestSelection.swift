import AutoMobileClickHouse

/// A ``NetworkFilter`` as conditions on ClickHouse's `requests`: what ``NetworkSelection`` asks of SQLite.
///
/// There is no window here: columns that are read for a condition are few and small, so a combination that finds little costs one pass
/// over them, within the time that a question has. A page that is not full is the last one.
struct ClickHouseRequestSelection {
  /// What holds of all copies of a row, or of none.
  private(set) var range: [SQL]
  /// What may be true of one copy only: its number.
  private(set) var filter: [SQL] = []
  let order: NetworkFilter.Order

  init(_ filter: NetworkFilter, _ terms: ClickHouseRequestTerms) {
    order = filter.order
    range = terms.range
    if let host = filter.host {
      range.append(host.contains("*") ? ClickHouseTerms.exactGlob("host", host) : "host = \(text: host)")
    }
    if !filter.methods.isEmpty { range.append("upper(method) IN (\(Self.list(filter.methods)))") }
    if !filter.statuses.isEmpty { range.append(ClickHouseTerms.any(filter.statuses.map(Self.test))) }
    if let path = filter.path { range.append(ClickHouseTerms.exactGlob("path", path)) }
    if let route = filter.route { range.append("route = \(text: route)") }
    if let least = filter.minimumDuration { range.append("duration >= \(least)") }
    if let tracer = filter.tracer { range.append("tracer = \(text: tracer)") }
    if let isMocked = filter.isMocked { range.append(isMocked ? "isNotNull(mock)" : "isNull(mock)") }
    if filter.failed { range.append("failed = 1") }
    if order == .slowest { range.append("isNotNull(duration)") }
    if let bundle = filter.bundleId { range.append("bundle = \(text: bundle)") }
    range += terms.conditions(filter.query)
    if let event = filter.arrivedAfter { self.filter.append("id > \(event)") }
  }

  /// What holds of events as well as of requests.
  static func range(_ filter: NetworkFilter, session: SessionName?) -> [SQL] {
    var range = session?.range ?? []
    if let from = filter.from { range.append("timestamp >= \(from)") }
    if let to = filter.to { range.append("timestamp < \(to)") }
    return range
  }

  private static func test(_ status: NetworkFilter.Status) -> SQL {
    switch status {
    case .exactly(let code): "status = \(code)"
    case .hundreds(let hundreds): ClickHouseTerms.between("status", hundreds * 100...hundreds * 100 + 99)
    case .none: "isNull(status)"
    case .unfinished: NetworkRow.isUnfinished
    }
  }

  private static func list(_ values: [String]) -> SQL { SQL.joined(values.map { "\(text: $0)" }, ", ") }

  /// - Parameter columns: what is asked for.
  func rows(_ columns: [SQLName], after: PageCursor?, limit: Int) -> OrderedRows {
    var rows = DistinctRows(TelemetryTables.requests, columns)
    rows.range = range
    rows.filter = filter
    return OrderedRows(
      rows, by: order == .slowest ? "duration" : "timestamp", isAscending: order == .oldest,
      after: after, limit: limit)
  }
}
