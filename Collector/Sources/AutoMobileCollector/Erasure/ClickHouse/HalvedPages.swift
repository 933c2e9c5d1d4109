import AutoMobileClickHouse

/// Reads what apps sent in parts that an answer has room for. Nobody knows beforehand how large a row is: what is too much is asked for
/// again, half as many at a time, so that nobody can send so much that others cannot be found beside it.
enum HalvedPages {
  /// Pages one behind the other.
  ///
  /// - Parameters:
  ///   - most: rows of a page.
  ///   - ask: answers the rows behind one, or the first ones, at most so many.
  ///   - use: called with each page, once.
  /// - Throws: ``ClickHouseError`` when a single row is too much; what `ask` and `use` throw.
  static func read<Row>(
    most: Int, _ ask: (Row?, Int) async throws -> [Row], use: ([Row]) async throws -> Void
  ) async throws {
    var count = most
    var last: Row?
    while true {
      let page: [Row]
      do {
        page = try await ask(last, count)
      } catch let error as ClickHouseError where error.isTooMuch && count > 1 {
        count /= 2
        continue
      }
      try await use(page)
      guard page.count >= count, let end = page.last else { return }
      last = end
      // What is large may have been in one place only.
      count = min(most, count * 2)
    }
  }

  /// What is asked about names, at most so many in one statement. Of some it may be asked more than once.
  ///
  /// - Throws: ``ClickHouseError`` when the answer about a single one is too much; what `ask` throws.
  static func parts<Element>(
    of all: [Element], most: Int, _ ask: ([Element]) async throws -> Void
  ) async throws {
    var (start, count) = (0, most)
    while start < all.count {
      let end = min(start + count, all.count)
      do {
        try await ask(Array(all[start..<end]))
      } catch let error as ClickHouseError where error.isTooMuch && end - start > 1 {
        count = (end - start) / 2
        continue
      }
      start = end
      count = min(most, count * 2)
    }
  }
}

extension ClickHouseError {
  /// Less may have room where this has none: bytes (307, 396), memory (241).
  fileprivate var isTooMuch: Bool {
    switch kind {
    case .tooLarge: true
    case .server(let code): [241, 307, 396].contains(code)
    default: false
    }
  }
}
