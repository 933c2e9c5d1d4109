import GRDB

extension SessionRow: FetchableRecord {
  /// Of `session`.
  var row: Int64 { place.id }

  /// Its first parameter: the time from which on a session counts as live.
  static let select = columns + " FROM session"
  static let columns = """
    SELECT session.id, sessionId, bundleId, appVersion, userId, tags, device, first, last, events, errors, lastScreen,
      \(SessionSelection.isLive)
    """

  init(row: Row) {
    place = PageCursor(key: row.count > 13 ? row[13] ?? 0 : 0, id: row[0])
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
}
