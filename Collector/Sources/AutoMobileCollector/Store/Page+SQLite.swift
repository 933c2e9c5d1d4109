import GRDB

extension Page where Element: FetchableRecord & Weighed {
  /// Reads rows until there are enough, or until they are large enough together. There is one at least, where there is any.
  ///
  /// - Parameters:
  ///   - sql: must read its rows in the order of an index: what SQLite has to sort it holds as a whole.
  ///   - completed: adds to a row what is not in it, before it is weighed.
  static func fetch(
    _ database: Database, sql: String, arguments: StatementArguments, limit: Int, bytes: Int,
    completed: (Element) throws -> Element = { $0 }
  ) throws -> Page {
    var page = Page()
    var left = bytes
    guard limit > 0 else { return Page(isFull: true) }
    let cursor = try Element.fetchCursor(database, sql: sql, arguments: arguments)
    while let row = try cursor.next().map(completed) {
      page.rows.append(row)
      left -= row.weight
      page.isFull = page.rows.count >= limit || left <= 0
      if page.isFull { break }
    }
    return page
  }
}
