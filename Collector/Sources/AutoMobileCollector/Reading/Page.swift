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

extension Page {
  /// Where to go on; nil when there is nothing more.
  func next(_ cursor: (Element) -> PageCursor) -> String? { isFull ? rows.last.map { cursor($0).text } : nil }
}

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

extension Page where Element: Weighed {
  /// The same of what is found one by one.
  static func fetch<Name>(_ names: [Name], bytes: Int, _ find: (Name) throws -> Element?) rethrows -> Page {
    var page = Page()
    var left = bytes
    for name in names {
      if left <= 0 {
        page.isFull = true
        break
      }
      guard let row = try find(name) else { continue }
      page.rows.append(row)
      left -= row.weight
    }
    return page
  }
}
