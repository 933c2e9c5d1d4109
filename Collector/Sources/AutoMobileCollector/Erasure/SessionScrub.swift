import Foundation
import GRDB

/// What is done with a session in one transaction, before its events go a little at a time: all that is found through it is counted,
/// taken away or written down for later.
struct SessionScrub {
  let database: Database
  let session: Int64
  let mark: ErasureMarks.Mark

  func run() throws {
    var counts = try Self.counts(session, in: database)
    try noteShared()
    counts["launch_end"] = try removeEnds()
    counts["quarantine"] = try emptyQuarantine()
    try removeReplays()
    counts["context"] = try Self.empty("session = ?", [session], at: mark.at, in: database)
    try Erasure.count(counts, of: mark.erasure, in: database)
    try execute(
      "UPDATE erasure_session SET prepared = 1 WHERE erasure = ? AND session = ?", [mark.erasure, session])
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Rows by table, and what they hold in bytes: of events their JSON, of replays what is in packs.
  static func counts(_ session: Int64, in database: Database) throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for (table, condition) in ErasureRule.counted {
      counts[table] = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT COUNT(*) FROM \(table) WHERE \(condition)"),
        arguments: ["session": session])
    }
    counts["event_bytes"] = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT SUM(LENGTH(payload)) FROM event WHERE session = ?"), arguments: [session])
    counts["replay_bytes"] = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT SUM(length) FROM replay_segment WHERE replay IN (\(ErasureRule.ofReplays))"),
      arguments: ["session": session])
    return counts.filter { $0.value > 0 }
  }

  // MARK: Shared with others

  /// Written down, because its own rows lead there and go.
  private func noteShared() throws {
    let found: [(what: String, sql: String)] = [
      ("issue", "SELECT name FROM issue WHERE id IN (SELECT issue FROM issue_event WHERE session = ?)"),
      ("issue", "SELECT fingerprint FROM issue_event WHERE session = ? AND fingerprint IS NOT NULL"),
      ("route", "SELECT DISTINCT route FROM network WHERE session = ?"),
      ("host", "SELECT DISTINCT host FROM network WHERE session = ?"),
      ("type", "SELECT DISTINCT type FROM event WHERE session = ?"),
      ("build", "SELECT build FROM launch_time WHERE session = ?"),
      ("build", "SELECT build FROM screen_frames WHERE session = ?"),
      ("build", "SELECT build FROM tap_trouble WHERE session = ?"),
    ]
    for (what, sql) in found {
      try execute(
        "INSERT OR IGNORE INTO erasure_shared(erasure, what, name) SELECT \(mark.erasure), '\(what)', * FROM (\(sql))",
        [session])
    }
  }

  /// What it told of the ends of other launches, and what others told of launches that were its own alone.
  private func removeEnds() throws -> Int64 {
    var count: Int64 = 0
    for payload in try Data.fetchAll(
      database,
      sql: """
        SELECT payload FROM event JOIN event_type ON event_type.id = event.type WHERE session = ? AND name = 'lifecycle'
        """, arguments: [session])
    {
      guard let launch = LaunchEnds.launch(toldBy: payload) else { continue }
      try execute(
        "DELETE FROM launch_end WHERE owner = (SELECT owner FROM session WHERE id = ?) AND name = ?", [session, launch])
      count += Int64(database.changesCount)
    }
    try execute(
      """
      DELETE FROM launch_end WHERE (owner, name) IN (
        SELECT launch.owner, given FROM session_launch JOIN launch ON launch.id = launch WHERE session = ?1
          AND NOT EXISTS (SELECT 1 FROM session_launch AS other WHERE other.launch = launch.id AND other.session <> ?1))
      """, [session])
    return count + Int64(database.changesCount)
  }

  /// Nobody knows whose it is, so that of all sessions of its launches goes.
  private func emptyQuarantine() throws -> Int64 {
    try execute(
      """
      UPDATE quarantine SET payload = x'', reason = 'erased', length = 0
      WHERE reason <> 'erased' AND launch IN (SELECT launch FROM session_launch WHERE session = ?)
      """, [session])
    return Int64(database.changesCount)
  }

  // MARK: Replays

  /// Whole, also when another session is named in them: their pictures show one device.
  func removeReplays() throws {
    let replays = try Row.fetchAll(
      database,
      sql: """
        SELECT replay.id, replay.given, owner.name FROM replay JOIN owner ON owner.id = replay.owner
        WHERE replay.id IN (\(ErasureRule.ofReplays)) OR (replay.owner, replay.given) IN (
          SELECT launch.owner, json_extract(CAST(json AS TEXT), '$.replayId') FROM context JOIN launch ON launch.id = launch
          WHERE context.session = :session AND json_valid(CAST(json AS TEXT)))
        """, arguments: ["session": session])
    for row in replays {
      let replay: Int64 = row[0]
      try PackScrub.note(replay, for: mark.erasure, in: database)
      try ErasureMarks.insert(.replay, row[1], of: DataOwner(name: row[2]), mark, in: database)
      try ReplayEraser.remove(replay, in: database)
    }
  }

  // MARK: Contexts

  /// Contexts that only their numbers are left of, so that what names them is known as erased. Those that events carry themselves
  /// are named by their contents, and come again with each.
  @discardableResult
  static func empty(
    _ condition: String, _ arguments: StatementArguments, at now: Int64, in database: Database
  ) throws -> Int64 {
    try database.execute(sql: "DELETE FROM context WHERE contextId < 0 AND (\(condition))", arguments: arguments)
    let removed = database.changesCount
    try database.execute(
      sql: """
        UPDATE context SET json = CAST('{"contextId":' || contextId || '}' AS BLOB), session = NULL, erased = \(now)
        WHERE \(condition)
        """, arguments: arguments)
    return Int64(removed + database.changesCount)
  }
}
