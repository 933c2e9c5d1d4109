import Foundation
import GRDB

/// Reads sessions out of the index.
struct SessionQuery: Sendable {
  let store: EventStore
  /// A session is live when something came within this time, in milliseconds, and not all of its launches have ended.
  static let liveMilliseconds: Int64 = 30_000
  /// Of one session, in one answer.
  private static let launches = 10_000

  /// Sessions that pass, in the filter's order.
  ///
  /// - Returns: besides, whether so many words begin like the ones searched for that it was looked for whole words only.
  func list(
    _ scope: ReadScope, _ filter: SessionFilter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> (page: Page<SessionRow>, isWholeWords: Bool) {
    let live = now - Self.liveMilliseconds
    return try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      try TimeLimit.narrowing(filter.lookups, in: database) { wholeWords in
        let filter = wholeWords ? filter.withWholeWords : filter
        var selection = SessionSelection(filter, hasFullText: store.hasFullText, live: live)
        let key = filter.order.key
        let relevance = filter.order == .relevance ? SessionRelevance.points(filter.query) : SearchCondition("")
        if let before { selection.add("(\(key), session.id) < (?, ?)", [before.key, before.id]) }
        // Found and sorted by their numbers alone: tags can be large, and SQLite holds all that it sorts.
        let sorted = try Int64.fetchAll(
          database,
          sql: """
            \(relevance.sql) SELECT session.id FROM session\(selection.whereClause)
            ORDER BY \(key) DESC, session.id DESC LIMIT ?
            """, arguments: relevance.arguments + selection.arguments + [limit])
        // The join keeps their order: CROSS JOIN is SQLite's word for the outer loop. It sorts nothing.
        var page = try Page<SessionRow>.fetch(
          database,
          sql: """
            \(relevance.sql) \(SessionRow.columns), \(key)
            FROM json_each(?) AS found CROSS JOIN session ON session.id = found.value
            """, arguments: relevance.arguments + [live, "\(sorted)"], limit: sorted.count,
          bytes: store.limits.pageBytes
        ) { try $0.completed(database, now: now) }
        page.isFull = page.rows.count < sorted.count || sorted.count == limit
        try SessionFailure.add(to: &page.rows, database)
        try SessionMatches(filter.query, hasFullText: store.hasFullText).add(to: &page.rows, database)
        return (page, wholeWords)
      }
    }
  }

  /// How many sessions pass, and what there is to narrow them by: of each facet what there would be without it.
  func facets(_ scope: ReadScope, _ filter: SessionFilter, now: Int64) async throws -> SessionFacets {
    let live = now - Self.liveMilliseconds
    return try await store.read(scope, .heavy) { database in
      try TimeLimit.narrowing(filter.lookups, in: database) { wholeWords in
        let filter = wholeWords ? filter.withWholeWords : filter
        let selection = SessionSelection(filter.withoutFacets, hasFullText: store.hasFullText, live: live)
        let rows = try Row.fetchCursor(
          database,
          sql:
            "SELECT \(SessionFacets.columns) FROM session\(selection.whereClause) ORDER BY session.last DESC LIMIT ?",
          arguments: [live] + selection.arguments + [SessionFacets.most])
        var facets = SessionFacets(filter)
        while let row = try rows.next() { facets.add(row) }
        return facets
      }
    }
  }

  /// Whether there is one of this name.
  func exists(_ scope: ReadScope, _ id: String) async throws -> Bool {
    try await store.read(scope) { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE sessionId = ?)", arguments: [id]) ?? false
    }
  }

  /// One session with its launches, as far as they fit; nil when there is none of this name.
  func session(
    _ scope: ReadScope, _ id: String, now: Int64
  ) async throws -> (session: SessionRow, launches: Page<LaunchRow>)? {
    try await store.read(scope) { database in
      guard
        let session = try SessionRow.fetchOne(
          database, sql: SessionRow.select + " WHERE sessionId = ?", arguments: [now - Self.liveMilliseconds, id])
      else { return nil }
      let launches = try Page<LaunchRow>.fetch(
        database,
        sql: LaunchRow.select
          + " JOIN session_launch ON session_launch.launch = launch.id WHERE session_launch.session = ? ORDER BY launch.id",
        arguments: [session.row], limit: Self.launches, bytes: store.limits.pageBytes)
      return (try session.completed(database, now: now), launches)
    }
  }
}

/// One session as the API gives it out.
struct SessionRow: FetchableRecord, Weighed, Sendable {
  var row: Int64
  var sessionId: String
  var bundleId: String?
  var appVersion: String?
  var userId: String?
  var tags: String?
  var device: String?
  var first: Int64?
  var last: Int64?
  var events: Int64
  var errors: Int64
  var lastScreen: String?
  var isLive: Bool
  /// What the list is ordered by.
  var key: Int64 = 0
  var launches: [String] = []
  /// What ended its last launch; nil when no later launch has told.
  var lastEnd: String?
  var counts: [(type: String, count: Int64)] = []
  /// Nil when it came from an app.
  var imported: SessionImport?
  /// In a list: what went wrong, in short.
  var failures: [SessionFailure] = []
  /// What its device has said of it; nil where no summary has come.
  var told: ToldSession?
  /// The event by whose words it was found.
  var match: SearchMatch?

  /// Its first parameter: the time from which on a session counts as live.
  static let select = columns + " FROM session"
  static let columns = """
    SELECT session.id, sessionId, bundleId, appVersion, userId, tags, device, first, last, events, errors, lastScreen,
      \(SessionSelection.isLive)
    """

  init(row: Row) {
    self.row = row[0]
    sessionId = row[1]
    bundleId = row[2]
    appVersion = row[3]
    userId = row[4]
    tags = row[5]
    device = row[6]
    first = row[7]
    last = row[8]
    events = row[9]
    errors = row[10]
    lastScreen = row[11]
    isLive = row[12]
    if row.count > 13 { key = row[13] ?? 0 }
  }

  var weight: Int {
    1100 + (tags?.utf8.count ?? 0) + (device?.utf8.count ?? 0) + (userId?.utf8.count ?? 0) + 40 * launches.count
      + (told?.weight ?? 0) + counts.reduce(0) { $0 + $1.type.utf8.count + 12 }
  }

  /// With its launches, its counts by type, and what its device has said.
  func completed(_ database: Database, now: Int64 = WallClock.now) throws -> SessionRow {
    var result = self
    result.launches = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT launchId FROM session_launch JOIN launch ON launch.id = session_launch.launch
          WHERE session = ? ORDER BY launch.id LIMIT 100
          """), arguments: [row])
    let end = try String.fetchOne(
      database.cachedStatement(sql: "SELECT \(SessionSelection.ended) FROM session WHERE id = ?"), arguments: [row])
    result.lastEnd = end == SessionSelection.noEnd ? nil : end
    result.told = try ToldSession.of(row, now: now, in: database)
    let counts = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT name, n FROM session_type JOIN event_type ON event_type.id = session_type.type
          WHERE session = ? ORDER BY n DESC LIMIT 100
          """), arguments: [row])
    result.counts = counts.map { ($0[0], $0[1]) }
    result.imported = try SessionImport.of(sessionId, in: database)
    return result
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("sessionId", sessionId)
    json.member("bundleId", bundleId)
    json.member("appVersion", appVersion)
    json.member("userId", userId)
    json.member("tags", json: tags ?? "{}")
    json.member("device", json: device)
    json.array("launches") { for launch in launches { $0.string(launch) } }
    json.member("first", first)
    json.member("last", last)
    json.member("events", events)
    json.object("counts") { for (type, count) in counts { $0.member(type, count) } }
    json.member("errors", errors)
    json.member("live", isLive)
    json.member("lastScreen", lastScreen)
    json.member("lastEnd", lastEnd)
    if !failures.isEmpty {
      json.array("failures") {
        for failure in failures {
          $0.object {
            $0.member("event", failure.event)
            $0.member("type", failure.type)
            $0.member("title", failure.title)
          }
        }
      }
    }
    told?.write(to: &json)
    imported?.write(to: &json)
    match?.write(to: &json)
  }
}
