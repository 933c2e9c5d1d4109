import GRDB

/// Finds events among all that there are, the newest first.
extension SQLiteEvents {
  /// What no index answers alone may have to look at everything. So it is tried for a moment with all that is there, and
  /// then for the newest events only, from which the cursor goes on.
  func newest(
    _ scope: ReadScope, before: PageCursor?, limit: Int, filter: EventFilter
  ) async throws -> NewestEvents {
    try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT id FROM newest_event") ?? 0
      let end = min(before?.id ?? .max, newest + 1)
      let terms = try EventTerms(filter.query, in: .everywhere(fullText: store.hasFullText), database)
      guard terms.leading != nil || !terms.ambiguous.isEmpty else {
        let found = try TimeLimit.run(TimeLimit.patience, in: database) {
          try fetch(filter, terms, from: 0, before: end, limit: limit, database)
        }
        return try found.map { NewestEvents($0) } ?? scan(filter, before: end, limit: limit, database)
      }
      let sample = try NewestSample(
        terms, filter, before: end, limit: limit, maximumDepth: store.maximumDepth, in: database)
      if sample.found.count == limit || sample.isComplete {
        return NewestEvents(try events(sample.found, limit: limit, database))
      }
      // To take the query apart asks the sessions what they are known by.
      let narrower =
        try sample.commonWords.isEmpty
        ? terms
        : EventTerms(filter.query, in: .everywhere(fullText: true), wholeWords: sample.commonWords, database)
      let isNarrower = narrower.patterns != terms.patterns
      let found = try TimeLimit.run(TimeLimit.patience, in: database) {
        try fetch(
          filter, narrower, words: narrower.patterns.leading, from: 0, before: end, limit: limit, database)
      }
      // Many words begin like this, and none is this word: what is newest says more.
      guard let found, !isNarrower || !found.rows.isEmpty else {
        return try scan(filter, before: end, limit: limit, database)
      }
      return NewestEvents(found, isWholeWords: isNarrower)
    }
  }

  /// Reads the newest events, for a moment: each for itself, since the index would put together all hits of a word at each step.
  private func scan(_ filter: EventFilter, before end: Int64, limit: Int, _ database: Database) throws -> NewestEvents {
    let terms = try EventTerms(
      filter.query, in: store.hasFullText ? .oneByOne : .everywhere(fullText: false), database)
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
    var newest = NewestEvents(page)
    if newest.next == nil, floor > 0 { newest.next = PageCursor(key: 0, id: floor) }
    return newest
  }

  private func fetch(
    _ filter: EventFilter, _ terms: EventTerms, words: String? = nil, from floor: Int64, before end: Int64, limit: Int,
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
    restrict(&sql, &arguments, filter, terms)
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
