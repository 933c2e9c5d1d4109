import GRDB

/// Reads events out of the index.
struct EventQuery: Sendable {
  /// Which events.
  struct Filter: Sendable {
    var session: String?
    /// Empty: all.
    var types: [String] = []
    var search: SearchPattern?
  }

  let store: EventStore
  /// Rows that one request without an index to help it may look at; its cursor goes on from there.
  private let scanWindow: Int64 = 200_000
  /// The same for a search that the full text index answers too slowly.
  private let readWindow: Int64 = 20_000

  /// A session's events in the order of their timestamps; nil when there is no such session.
  func timeline(of session: String, after: PageCursor?, limit: Int, filter: Filter) async throws -> [EventRow]? {
    try await store.pool.read { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      var sql = EventRow.select + " WHERE event.session = ?"
      var arguments: StatementArguments = [row]
      if let after {
        sql += " AND (event.timestamp, event.id) > (?, ?)"
        arguments += [after.key, after.id]
      }
      // Within a session substrings are affordable, and what people expect.
      try restrict(&sql, &arguments, filter, fullText: false, database)
      sql += " ORDER BY event.timestamp, event.id LIMIT ?"
      arguments += [limit]
      return try EventRow.fetchAll(database, sql: sql, arguments: arguments)
    }
  }

  /// What ``newest(before:limit:filter:)`` found.
  struct Newest: Sendable {
    var events: [EventRow]
    /// The id before which to go on; nil when there is nothing more. A page may be empty and have one.
    var next: Int64?
    /// So many words begin like this that only whole words were looked for.
    var isWholeWords = false
  }

  /// Events in the order of arrival, newest first.
  ///
  /// What no index answers alone may have to look at everything. So it is tried for a moment with all that is there, and
  /// then for the newest events only, from which the cursor goes on.
  func newest(before: Int64?, limit: Int, filter: Filter) async throws -> Newest {
    try await store.pool.read { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
      let end = min(before ?? .max, newest + 1)
      let words = store.hasFullText ? filter.search.flatMap { $0.fullText(wholeWords: false) } : nil
      let wholeWords = store.hasFullText ? filter.search.flatMap { $0.fullText(wholeWords: true) } : nil
      var attempts: [(words: String?, floor: Int64)] = [(words, 0)]
      if words != wholeWords { attempts.append((wholeWords, 0)) }
      if filter.search != nil, words == nil { attempts = [] }
      for (tried, floor) in attempts {
        let found = try TimeLimit.run(TimeLimit.patience, in: database) {
          try fetch(filter, words: tried, from: floor, before: end, limit: limit, database)
        }
        guard let found else { continue }
        let isNarrower = tried != words
        // Too many words begin like this, and too few are this word: what is newest says more.
        if isNarrower, found.count < limit { break }
        return Newest(events: found, next: found.count == limit ? found.last?.id : nil, isWholeWords: isNarrower)
      }
      let floor = max(0, end - (words == nil ? scanWindow : readWindow))
      let found = try fetch(filter, words: nil, from: floor, before: end, limit: limit, database)
      return Newest(events: found, next: found.count == limit ? found.last?.id : floor > 0 ? floor : nil)
    }
  }

  private func fetch(
    _ filter: Filter, words: String?, from floor: Int64, before end: Int64, limit: Int, _ database: Database
  ) throws -> [EventRow] {
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
    try restrict(&sql, &arguments, filter, fullText: words != nil, byWord: store.hasFullText, database)
    sql += " ORDER BY \(key) DESC LIMIT ?"
    arguments += [limit]
    return try EventRow.fetchAll(database, sql: sql, arguments: arguments)
  }

  /// Events that arrived after `id`, oldest first.
  ///
  /// - Returns: the events, and the id up to which everything has been looked at.
  func following(_ id: Int64, limit: Int, filter: Filter) async throws -> (events: [EventRow], upTo: Int64) {
    try await store.pool.read { database in
      let newest = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
      guard newest > id else { return ([], max(id, newest)) }
      let end = min(newest, id + scanWindow)
      var sql = EventRow.select + " WHERE event.id > ? AND event.id <= ?"
      var arguments: StatementArguments = [id, end]
      if let session = filter.session {
        sql += " AND event.session = (SELECT id FROM session WHERE sessionId = ?)"
        arguments += [session]
      }
      try restrict(&sql, &arguments, filter, fullText: false, database)
      sql += " ORDER BY event.id LIMIT ?"
      arguments += [limit]
      let events = try EventRow.fetchAll(database, sql: sql, arguments: arguments)
      return (events, events.count == limit ? events.last?.id ?? end : end)
    }
  }

  /// The id of the newest event; 0 when there is none.
  func newestId() async throws -> Int64 {
    try await store.pool.read { try Int64.fetchOne($0, sql: "SELECT MAX(id) FROM event") ?? 0 }
  }

  private func restrict(
    _ sql: inout String, _ arguments: inout StatementArguments, _ filter: Filter, fullText: Bool, byWord: Bool = false,
    _ database: Database
  ) throws {
    if !filter.types.isEmpty {
      let marks = filter.types.map { _ in "?" }.joined(separator: ",")
      sql += " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(marks)))"
      arguments += StatementArguments(filter.types)
    }
    if let search = filter.search, !fullText || search.fullText == nil {
      // Beside a full text index a search means words, without one the text as it was typed.
      for like in byWord ? search.likeWords : [search.like] {
        sql += " AND CAST(event.payload AS TEXT) LIKE ? ESCAPE '\\'"
        arguments += [like]
      }
    }
  }
}
