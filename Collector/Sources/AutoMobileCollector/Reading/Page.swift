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

extension Page where Element: Weighed {
  /// Reads of these what there is, one by one, until it is large enough together. There is one at least, where there is any.
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
