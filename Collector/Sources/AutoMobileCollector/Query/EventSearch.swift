import GRDB

/// Finds events among all that there are, the newest first.
extension EventQuery {
  /// What ``newest(before:limit:filter:)`` found.
  struct Newest: Sendable {
    var events: [EventRow]
    /// The id before which to go on; nil when there is nothing more. A page may be empty and have one.
    var next: Int64?
    /// So many words begin like this that only whole words were looked for.
    var isWholeWords = false

    init(_ page: Page<EventRow>, isWholeWords: Bool = false) {
      events = page.rows
      next = page.isFull ? page.rows.last?.id : nil
      self.isWholeWords = isWholeWords
    }
  }

  /// Events in the order of arrival, newest first.
  ///
  /// What no index answers alone may have to look at everything. So it is tried for a moment with all that is there, and
  /// then for the newest events only, from which the cursor goes on.
  func newest(_ scope: ReadScope, before: Int64?, limit: Int, filter: Filter) async throws -> Newest {
    try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT id FROM newest_event") ?? 0
      let end = min(before ?? .max, newest + 1)
      let terms = try EventTerms(filter.query, in: .everywhere(fullText: store.hasFullText), database)
      guard let search = terms.leading else {
        let found = try TimeLimit.run(TimeLimit.patience, in: database) {
          try fetch(filter, terms, from: 0, before: end, limit: limit, database)
        }
        return try found.map { Newest($0) } ?? scan(filter, terms, before: end, limit: limit, database)
      }
      let sample = try NewestSample(
        search, filter, terms.condition, before: end, limit: limit, maximumDepth: store.maximumDepth, in: database)
      if sample.found.count == limit || sample.isComplete {
        return Newest(try events(sample.found, limit: limit, database))
      }
      let words = search.fullText(wholeWords: sample.commonWords)
      let isNarrower = words != search.fullText
      let found = try TimeLimit.run(TimeLimit.patience, in: database) {
        try fetch(filter, terms, words: words, from: 0, before: end, limit: limit, database)
      }
      // Many words begin like this, and none is this word: what is newest says more.
      guard let found, !isNarrower || !found.rows.isEmpty else {
        return try scan(filter, terms, before: end, limit: limit, database)
      }
      return Newest(found, isWholeWords: isNarrower)
    }
  }

  /// Reads the newest events, for a moment.
  private func scan(
    _ filter: Filter, _ terms: EventTerms, before end: Int64, limit: Int, _ database: Database
  ) throws -> Newest {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(TimeLimit.patience)
    var page = Page<EventRow>()
    var bytes = store.limits.pageBytes
    var floor = end
    repeat {
      let ceiling = floor
      floor = max(0, ceiling - scanStep)
      let part = try fetch(
        filter, terms, from: floor, before: ceiling, limit: limit - page.rows.count, bytes: bytes, database)
      page.rows += part.rows
      page.isFull = part.isFull
      bytes -= part.rows.reduce(0) { $0 + $1.weight }
    } while !page.isFull && floor > 0 && clock.now < deadline
    var newest = Newest(page)
    if newest.next == nil, floor > 0 { newest.next = floor }
    return newest
  }

  private func fetch(
    _ filter: Filter, _ terms: EventTerms, words: String? = nil, from floor: Int64, before end: Int64, limit: Int,
    bytes: Int? = nil, _ database: Database
  ) throws -> Page<EventRow> {
    var sql = EventRow.selectColumns
    var arguments: StatementArguments = []
    let key: String
    if let words {
      key = "event_text.rowid"
      // The full text index knows the order of ids; CROSS JOIN keeps it in front.
      sql += " FROM event_text CROSS JOIN event ON event.id = event_text.rowid" + EventRow.joins
      sql += " WHERE event_text MATCH ?"
      arguments += [words]
    } else {
      key = "event.id"
      sql += " FROM event" + EventRow.joins + " WHERE 1"
    }
    sql += " AND \(key) < ? AND \(key) >= ?"
    arguments += [end, floor]
    if let session = filter.session {
      sql += " AND event.session = (SELECT id FROM session WHERE sessionId = ?)"
      arguments += [session]
    }
    restrict(&sql, &arguments, filter, terms, fullText: words != nil)
    sql += " ORDER BY \(key) DESC LIMIT ?"
    arguments += [limit]
    return try Page.fetch(
      database, sql: sql, arguments: arguments, limit: limit, bytes: bytes ?? store.limits.pageBytes)
  }

  /// Events by their ids, the newest first.
  private func events(_ ids: [Int64], limit: Int, _ database: Database) throws -> Page<EventRow> {
    let marks = ids.map { _ in "?" }.joined(separator: ",")
    return try Page.fetch(
      database, sql: EventRow.select + " WHERE event.id IN (\(marks)) ORDER BY event.id DESC",
      arguments: StatementArguments(ids), limit: limit, bytes: store.limits.pageBytes)
  }
}
