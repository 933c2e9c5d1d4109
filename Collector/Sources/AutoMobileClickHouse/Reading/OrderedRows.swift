/// Rows in the order of a number and of their own, a page at a time, each of them once.
///
/// Putting all rows of a table in order to find which of them are one would cost as much for the first page as for all. So it goes in two
/// steps: ``edge(_:behind:)`` asks at which number so many rows are passed, copies among them, and ``page(_:to:)`` takes everything up to
/// there. Copies have the same number, so the edge divides none. When too many of them were copies, or had been on the page before,
/// the page is too short, and whoever asks asks again for an edge further away.
package struct OrderedRows: Sendable {
  /// Where the page before has ended.
  package struct Place: Sendable {
    package var key: Int64
    package var id: Int64

    package init(key: Int64, id: Int64) {
      self.key = key
      self.id = id
    }
  }

  package var rows: DistinctRows
  /// The column of the number. Rows without one are to be left out by the range.
  package let key: SQLName
  package let isAscending: Bool
  package let limit: Int
  package let after: Place?

  package init(_ rows: DistinctRows, by key: SQLName, isAscending: Bool, after: Place?, limit: Int) {
    self.key = key
    self.isAscending = isAscending
    self.limit = max(1, limit)
    self.after = after
    var rows = rows
    for name in [key, "id"] as [SQLName] where !rows.columns.contains(name) { rows.columns.append(name) }
    if let after {
      rows.range.append(isAscending ? "\(key) >= \(after.key)" : "\(key) <= \(after.key)")
      rows.filter.append(
        isAscending
          ? "\(key) > \(after.key) OR \(key) = \(after.key) AND id > \(after.id)"
          : "\(key) < \(after.key) OR \(key) = \(after.key) AND id < \(after.id)")
    }
    self.rows = rows
  }

  private var direction: SQL { isAscending ? "ASC" : "DESC" }

  /// Asks for one number, or none when there are fewer rows.
  package func edge(_ tables: ReadableTables, behind count: Int) -> SQL {
    let range = SQL.joined(rows.range.map { "(\($0))" }, " AND ")
    let condition: SQL = rows.range.isEmpty ? "" : " WHERE \(range)"
    return """
      SELECT toInt64(assumeNotNull(\(key))) AS edge FROM \(tables(rows.table))\(condition) \
      ORDER BY edge \(direction) LIMIT \(count: max(1, count) - 1), 1
      """
  }

  /// - Parameter edge: nil: to the end.
  package func page(_ tables: ReadableTables, to edge: Int64?, selecting selected: [SQL] = []) -> SQL {
    var rows = rows
    if let edge { rows.range.append(isAscending ? "\(key) <= \(edge)" : "\(key) >= \(edge)") }
    rows.order = ["\(key) \(direction)", "id \(direction)"]
    rows.limit = limit
    return rows.sql(tables, selecting: selected)
  }

  /// Asks until the page is full or the end has come.
  ///
  /// - Parameter ask: asks for numbers, and for rows.
  package func all<Row>(
    _ tables: ReadableTables, selecting selected: [SQL] = [],
    numbers: (SQL) async throws -> [Int64], rows ask: (SQL) async throws -> [Row]
  ) async throws -> [Row] {
    // Few rows are copies.
    var count = limit + limit / 4 + 16
    while true {
      let edge = try await numbers(edge(tables, behind: count)).first
      let rows = try await ask(page(tables, to: edge, selecting: selected))
      if edge == nil || rows.count >= limit { return rows }
      count *= 8
    }
  }
}

extension SQLName: ExpressibleByStringLiteral {
  package init(stringLiteral value: StaticString) { self.init(value) }
}
