import GRDB

/// What has a size in an answer, as far as that is not the same for all.
protocol Weighed {
  /// In bytes, about.
  var weight: Int { get }
}

/// Some rows of an ordered list.
struct Page<Element> {
  var rows: [Element] = []
  /// There may be more: so many rows were wanted, or more would be too large to be given out at once.
  var isFull = false
}

extension Page: Sendable where Element: Sendable {}

extension Page where Element: FetchableRecord & Weighed {
  /// Reads rows until there are enough, or until they are large enough together. There is one at least, where there is any.
  ///
  /// - Parameter sql: must read its rows in the order of an index: what SQLite has to sort it holds as a whole.
  static func fetch(
    _ database: Database, sql: String, arguments: StatementArguments, limit: Int, bytes: Int
  ) throws -> Page {
    var page = Page()
    var left = bytes
    guard limit > 0 else { return Page(isFull: true) }
    let cursor = try Element.fetchCursor(database, sql: sql, arguments: arguments)
    while let row = try cursor.next() {
      page.rows.append(row)
      left -= row.weight
      page.isFull = page.rows.count >= limit || left <= 0
      if page.isFull { break }
    }
    return page
  }
}

extension Page where Element: Weighed {
  /// The first of rows that are in memory already, by the same rule.
  init(_ all: some Sequence<Element>, bytes: Int) {
    var left = bytes
    for row in all {
      guard left > 0 else {
        isFull = true
        return
      }
      rows.append(row)
      left -= row.weight
    }
  }
}
