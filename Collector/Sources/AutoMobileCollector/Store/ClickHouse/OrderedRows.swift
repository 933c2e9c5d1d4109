import AutoMobileClickHouse

/// Rows in the order of a number and of their own, a page at a time, each of them once.
///
/// Putting all rows of a table in order to find which of them are one would cost as much for the first page as for all. So it goes in
/// two steps: an edge, the number at which so many rows are passed, copies among them; and everything up to there. Copies have the same
/// number, so an edge divides none. When too many were copies, or had been on the page before, the page is too short, and an edge
/// further away is asked for.
struct OrderedRows: Sendable {
  private var rows: DistinctRows
  private let key: SQLName
  private let isAscending: Bool
  let limit: Int

  /// - Parameter key: a column of numbers. Rows without one are to be left out by the range.
  init(_ rows: DistinctRows, by key: SQLName, isAscending: Bool, after: PageCursor?, limit: Int) {
    self.key = key
    self.isAscending = isAscending
    self.limit = limit
    var rows = rows
    for name in [key, "id"] as [SQLName] where !rows.columns.contains(name) { rows.columns.append(name) }
    if let after {
      rows.range.append(isAscending ? "\(key) >= \(after.key)" : "\(key) <= \(after.key)")
      rows.filter.append(
        isAscending
          ? "\(key) > \(after.key) OR (\(key) = \(after.key) AND id > \(after.id))"
          : "\(key) < \(after.key) OR (\(key) = \(after.key) AND id < \(after.id))")
    }
    rows.order = isAscending ? ["\(key)", "id"] : ["\(key) DESC", "id DESC"]
    rows.limit = limit
    self.rows = rows
  }

  fileprivate func edge(behind count: Int, _ reading: ClickHouseReading) -> SeenSQL {
    reading.copies(
      "toInt64(assumeNotNull(\(key))) AS edge", of: rows.table, rows.range,
      isAscending ? "ORDER BY edge LIMIT \(count: count - 1), 1" : "ORDER BY edge DESC LIMIT \(count: count - 1), 1")
  }

  fileprivate func page(to edge: Int64?) -> DistinctRows {
    var rows = rows
    if let edge { rows.range.append(isAscending ? "\(key) <= \(edge)" : "\(key) >= \(edge)") }
    return rows
  }
}

extension ClickHouseReading {
  /// - Parameters:
  ///   - names: what is asked for, in this order.
  ///   - make: of the page's statement, what is asked; itself when nothing else is said.
  func ordered<Row: Sendable>(
    _ ordered: OrderedRows, selecting selected: [SQL], _ make: (SQL) -> SQL = { $0 },
    count: ([Row]) -> Int = { $0.count }, _ read: @Sendable (inout RowBinaryReader) throws -> Row
  ) async throws -> [Row] {
    guard ordered.limit > 0 else { return [] }
    // Few rows are copies.
    var behind = ordered.limit + ordered.limit / 4 + 16
    while true {
      let edge = try await rows(ordered.edge(behind: behind, self)) { try $0.int(Int64.self) }.first
      let found = try await rows(distinct(ordered.page(to: edge), selecting: selected).inside(make), read)
      if edge == nil || count(found) >= ordered.limit { return found }
      behind *= 8
    }
  }
}
