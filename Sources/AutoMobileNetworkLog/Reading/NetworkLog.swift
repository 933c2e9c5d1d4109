import AutoMobileHTTP
import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Reads a log, also while apps write it: lists, filters, searches, counts.
///
///     let log = NetworkLog(directory)
///     var page = log.page(filter, limit: 50)
///     while let next = page.next { page = log.page(filter, from: next, limit: 50) }
///
/// A request is there from when it begins, as one that is not finished; when it ends, it is the same entry, with what came
/// back. If its app ends first, it stays.
///
/// Takes no lock that another process could hold, and changes nothing but for ``clear()``. The first look reads the whole log (some hundred
/// megabytes a second); later ones what has come since. In memory it keeps about two hundred bytes an exchange.
///
/// Everything here reads files, so nothing is for the main thread; the calls of one log wait for each other.
///
/// Sendable: the index is used under the lock only.
public final class NetworkLog: @unchecked Sendable {
  public let directory: NetworkLogDirectory
  private let lock = NSLock()
  private let index: LogIndex
  /// Of all looks together.
  private var totals = NetworkLogChange()

  /// Opens nothing yet. A directory that is missing, or is none, is an empty log.
  public init(_ directory: NetworkLogDirectory) {
    self.directory = directory
    index = LogIndex(directory)
  }

  /// Takes in what has been recorded, and removed, since the last call of this or any other method.
  @discardableResult
  public func refresh() -> NetworkLogChange { lock.withLock { refreshLocked() } }

  func refreshedTotals() -> NetworkLogChange {
    lock.withLock {
      _ = refreshLocked()
      return totals
    }
  }

  private func refreshLocked() -> NetworkLogChange {
    let change = index.refresh()
    totals.add(change)
    return change
  }

  /// The exchanges that a filter lets through, newest first.
  ///
  /// Pages neither repeat nor leave out what was there when the first one was read: what comes meanwhile stands before it,
  /// or in its place by the time when it began.
  ///
  /// - Parameters:
  ///   - filter: which exchanges.
  ///   - from: the ``NetworkLogPage/next`` of the page before; nil: the newest. It stays good in another process, too.
  ///   - limit: the most entries.
  public func page(
    _ filter: NetworkLogFilter = NetworkLogFilter(), from: NetworkLogEntry.ID? = nil, limit: Int = 100
  ) -> NetworkLogPage {
    read { index in
      let matcher = RowMatcher(filter, index.names)
      var page = NetworkLogPage(entries: [])
      // `from` itself is the next entry, so it is included.
      // Files go from the old end. One that went after the last look is missing, though copies of older ones may be at hand.
      var gone: [LaunchID: UInt64] = [:]
      var end = from.map { index.count(before: $0) + (index.reference($0) == nil ? 0 : 1) } ?? index.order.count
      while end > 0 {
        end -= 1
        let reference = index.order[end]
        guard let (segment, row) = index.row(reference), gone[segment.launch].map({ segment.index > $0 }) ?? true,
          matcher.matches(row, in: segment, index.cache)
        else { continue }
        let id = index.id(reference)
        if page.entries.count >= max(1, limit) {
          page.next = id
          break
        }
        if let exchange = index.summary(row, in: segment) {
          page.entries.append(
            NetworkLogEntry(id: id, exchange: exchange, isUnderWay: index.isUnderWay(reference)))
        } else if index.isGone(segment) {
          gone[segment.launch] = max(gone[segment.launch] ?? 0, segment.index)
        }
      }
      return page
    }
  }

  /// How many exchanges a filter lets through.
  public func count(_ filter: NetworkLogFilter = NetworkLogFilter()) -> Int {
    read { index in
      if filter.isEmpty { return index.order.count }
      var count = 0
      index.forEach(filter) { _, _, _ in count += 1 }
      return count
    }
  }

  /// A recorded exchange with its bodies; nil when it is not there, or not any more.
  public func exchange(_ id: NetworkLogEntry.ID) -> HTTPExchange? {
    read { index in
      guard let reference = index.reference(id), let (segment, row) = index.row(reference) else { return nil }
      return index.exchange(row, in: segment)
    }
  }

  /// Whether a request is under way: see ``NetworkLogEntry/isUnderWay``.
  public func isUnderWay(_ id: NetworkLogEntry.ID) -> Bool {
    read { index in index.reference(id).map(index.isUnderWay) ?? false }
  }

  /// What went over the WebSocket that an exchange opened, in order.
  public func frames(of exchange: HTTPExchange) -> [HTTPWebSocketFrame] {
    read { $0.frames(of: exchange) }
  }

  /// Counts of the exchanges that a filter lets through.
  public func statistics(_ filter: NetworkLogFilter = NetworkLogFilter()) -> NetworkLogStatistics {
    read { index in
      var collector = StatisticsCollector()
      let matcher = filter.isEmpty ? nil : RowMatcher(filter, index.names)
      // In the order in which they lie in memory: what is counted has none.
      for case let segment? in index.segments {
        for row in segment.rows.dropFirst(segment.cleared) where matcher?.matches(row, in: segment, index.cache) ?? true
        {
          collector.add(row)
        }
        for beginning in segment.beginnings.values
        where matcher?.matches(beginning.row, in: segment, index.cache) ?? true { collector.add(beginning.row) }
      }
      return collector.statistics(index.names)
    }
  }

  /// Empties the log for all who read it, in this process and others. What an app records from now on is there, also what it
  /// is recording at this moment.
  ///
  /// The records stay where they are, since their writers own them, until there is no more room for them or they are too old.
  ///
  /// - Returns: how many exchanges there were.
  /// - Throws: when the directory cannot be written to; then nothing is cleared.
  @discardableResult
  public func clear() throws -> Int {
    try lock.withLock {
      _ = refreshLocked()
      let count = index.order.count
      guard count > 0 || index.hasFrames else { return 0 }
      try index.readSoFar.write(in: directory)
      _ = refreshLocked()
      return count
    }
  }

  /// Calls `body` with the exchanges that a filter lets through, oldest first, one at a time, each with what went over the
  /// WebSocket that it opened.
  ///
  /// What comes meanwhile is not among them.
  public func forEach(
    _ filter: NetworkLogFilter = NetworkLogFilter(),
    _ body: (HTTPExchange, [HTTPWebSocketFrame]) throws -> Void
  ) rethrows {
    let ids = read { index in
      var ids: [NetworkLogEntry.ID] = []
      index.forEach(filter) { reference, _, _ in ids.append(index.id(reference)) }
      return ids
    }
    for id in ids {
      // Without another look at the directory for each of them.
      let found = lock.withLock { () -> (HTTPExchange, [HTTPWebSocketFrame])? in
        guard let (segment, row) = index.reference(id).flatMap(index.row),
          let exchange = index.exchange(row, in: segment)
        else {
          return nil
        }
        return (exchange, index.frames(of: exchange))
      }
      if let found { try body(found.0, found.1) }
    }
  }

  private func read<Result>(_ body: (LogIndex) -> Result) -> Result {
    lock.withLock {
      _ = refreshLocked()
      return body(index)
    }
  }
}

extension LogIndex {
  fileprivate var hasFrames: Bool { segments.contains { $0?.frames.isEmpty == false } }

  /// Oldest first.
  fileprivate func forEach(_ filter: NetworkLogFilter, _ body: (Reference, LogSegment, LogRow) -> Void) {
    let matcher = RowMatcher(filter, names)
    for reference in order {
      guard let (segment, row) = row(reference), matcher.matches(row, in: segment, cache) else { continue }
      body(reference, segment, row)
    }
  }

  fileprivate func frames(of exchange: HTTPExchange) -> [HTTPWebSocketFrame] {
    let owners = [exchange.id, exchange.url].filter { !$0.isEmpty }.map { FrameOwner.hash(FoldedText.escaped($0)) }
    return segments.compactMap { $0 }.filter { !$0.frames.isEmpty }.flatMap { segment in
      segment.frames.filter { owners.contains($0.owner) }.compactMap { row in
        cache.withPayload(row.payload, in: segment) { bytes in
          try? JSONDecoder().decode(HTTPWebSocketFrame.self, from: Data(bytes))
        } ?? nil
      }
    }.filter { $0.exchangeID.map { $0 == exchange.id } ?? ($0.url == exchange.url) }
      .ordered { $0.timestamp < $1.timestamp }
  }
}
