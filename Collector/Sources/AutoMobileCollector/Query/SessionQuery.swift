import Foundation
import GRDB

/// Reads sessions out of the index.
struct SessionQuery: Sendable {
  let store: EventStore
  /// A session is live when something came within this time, in milliseconds, and not all of its launches have ended.
  static let liveMilliseconds: Int64 = 30_000

  /// Sessions by their last event, newest first.
  func list(search: SearchPattern?, before: PageCursor?, limit: Int, now: Int64) async throws -> [SessionRow] {
    try await store.pool.read { database in
      var sql = SessionRow.select + " WHERE session.last IS NOT NULL"
      var arguments: StatementArguments = [now - Self.liveMilliseconds]
      if let before {
        sql += " AND (session.last, session.id) < (?, ?)"
        arguments += [before.key, before.id]
      }
      if let search {
        sql += """
           AND (sessionId || ' ' || IFNULL(userId, '') || ' ' || IFNULL(tags, '') || ' ' || IFNULL(appVersion, '')
             || ' ' || IFNULL(bundleId, '') || ' ' || IFNULL(device, '') LIKE ? ESCAPE '\\'
             OR EXISTS (SELECT 1 FROM session_screen WHERE session = session.id AND screen LIKE ? ESCAPE '\\'))
          """
        arguments += [search.like, search.like]
      }
      sql += " ORDER BY session.last DESC, session.id DESC LIMIT ?"
      arguments += [limit]
      return try SessionRow.fetchAll(database, sql: sql, arguments: arguments).map { try $0.completed(database) }
    }
  }

  /// One session with its launches; nil when there is none of this name.
  func session(_ id: String, now: Int64) async throws -> (session: SessionRow, launches: [LaunchRow])? {
    try await store.pool.read { database in
      guard
        let session = try SessionRow.fetchOne(
          database, sql: SessionRow.select + " WHERE sessionId = ?", arguments: [now - Self.liveMilliseconds, id])
      else { return nil }
      let launches = try LaunchRow.fetchAll(
        database,
        sql: LaunchRow.select
          + " JOIN session_launch ON session_launch.launch = launch.id WHERE session_launch.session = ? ORDER BY launch.id",
        arguments: [session.row])
      return (try session.completed(database), launches)
    }
  }
}

/// One session as the API gives it out.
struct SessionRow: FetchableRecord, Sendable {
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
  var launches: [String] = []
  /// What ended its last launch; nil when no later launch has told.
  var lastEnd: String?
  var counts: [(type: String, count: Int64)] = []

  /// Its first parameter: the time from which on a session counts as live.
  static let select = """
    SELECT session.id, sessionId, bundleId, appVersion, userId, tags, device, first, last, events, errors, lastScreen,
      received >= ? AND EXISTS (SELECT 1 FROM session_launch JOIN launch ON launch.id = session_launch.launch
        WHERE session_launch.session = session.id AND NOT launch.final)
    FROM session
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
  }

  /// With its launches and its counts by type.
  func completed(_ database: Database) throws -> SessionRow {
    var result = self
    result.launches = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT launchId FROM session_launch JOIN launch ON launch.id = session_launch.launch
          WHERE session = ? ORDER BY launch.id LIMIT 100
          """), arguments: [row])
    result.lastEnd = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT verdict FROM session_launch JOIN launch ON launch.id = session_launch.launch
            LEFT JOIN launch_end ON launch_end.name = launch.launchId
          WHERE session = ? ORDER BY launch.id DESC LIMIT 1
          """), arguments: [row])
    let counts = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT name, n FROM session_type JOIN event_type ON event_type.id = session_type.type
          WHERE session = ? ORDER BY n DESC LIMIT 100
          """), arguments: [row])
    result.counts = counts.map { ($0[0], $0[1]) }
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
  }
}
