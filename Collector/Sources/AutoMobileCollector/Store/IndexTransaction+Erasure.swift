import AutoMobileJournal
import Foundation
import GRDB

/// A record of what was erased, which came late: it is dropped.
struct ErasedRecord: Error {}

/// Keeps what was erased from coming back.
extension IndexTransaction {
  /// Asked once for each name: the answer is remembered with the session, or by the context.
  func isErased(session name: String, of owner: IndexCaches.Owner) throws -> Bool {
    guard !marks.isEmpty else { return false }
    if caches.sessions[IndexCaches.Named(owner: owner.row, name: name)] != nil { return false }
    return try marks.mark(.session, name, of: owner.owner) != nil
  }

  /// Just the number of a context of an erased session, so that what names it is known.
  mutating func rememberErased(_ id: Int64, _ launch: inout IndexCaches.Launch) throws -> IndexCaches.Context {
    tally.dropped += 1
    // Those that events carry themselves come with each of them.
    guard id >= 0 else { return IndexCaches.Context(row: 0, session: nil, isErased: true) }
    try database.cachedStatement(
      sql: """
        INSERT INTO context(launch, contextId, json, erased) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET json = excluded.json, session = NULL, erased = excluded.erased
        """
    ).execute(arguments: [launch.row, id, Data("{\"contextId\":\(id)}".utf8), WallClock.now])
    guard let context = try statements.findContext(id, of: launch) else {
      throw JSONError(offset: 0, message: "the context could not be kept")
    }
    launch.contexts[id] = context
    return context
  }

  /// So that the next transaction knows it, too.
  func noteMarked(_ context: IndexCaches.Context, _ mark: ErasureMarks.Mark) throws {
    try database.cachedStatement(sql: "UPDATE context SET erased = ? WHERE id = ? AND erased = 0")
      .execute(arguments: [-mark.at, context.row])
  }

  /// Something of somebody who was erased: what began before that is dropped, and its session as a whole when nothing of that has
  /// been kept. Asked for each record, since they come in any order: of a session that went on, its crash may come first.
  ///
  /// - Throws: ``ErasedRecord`` when it began before.
  mutating func decide(
    _ context: IndexCaches.Context, in session: Int64, at timestamp: Int64, _ mark: ErasureMarks.Mark,
    _ launch: inout IndexCaches.Launch
  ) throws {
    guard timestamp <= mark.at else { return }
    // Rows, not counts: breadcrumbs are not counted.
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT given, EXISTS (SELECT 1 FROM event WHERE event.session = session.id) FROM session WHERE id = ?"),
      arguments: [session])
    // Somebody else's session, too, or one that goes on: what is of others, and what came afterwards, stays.
    guard let row, row[1] == false else { throw ErasedRecord() }
    try ErasureMarks.insert(.session, row[0], of: launch.owner.owner, mark, in: database)
    try SessionScrub(database: database, session: session, mark: mark).removeReplays()
    try SessionScrub.empty("session = ? OR id = ?", [session, context.row], at: WallClock.now, in: database)
    for table in ["session_launch", "session_type", "session_screen", "session_summary"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [session])
    }
    try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session])
    caches.sessions = caches.sessions.filter { $0.value != session }
    sessions[session] = nil
    // Other launches may know the session by its number.
    for (name, known) in caches.launches {
      for (id, other) in known.contexts where other.session == session { caches.launches[name]?.contexts[id] = nil }
      if known.current?.session == session { caches.launches[name] = nil }
    }
    for (id, other) in launch.contexts where other.session == session || other.row == context.row {
      launch.contexts[id] = id < 0 ? nil : IndexCaches.Context(row: other.row, session: nil, isErased: true)
    }
    if let current = launch.current, current.session == session || current.row == context.row {
      launch.current = IndexCaches.Context(row: current.row, session: nil, isErased: true)
    }
    if launch.fallbackSession == session { launch.fallbackSession = nil }
    throw ErasedRecord()
  }

  /// Counts a record that is not kept; the same one again is a duplicate.
  mutating func drop(_ record: Record, _ launch: inout IndexCaches.Launch) throws {
    tally.dropped += 1
    guard record.kind != .context else { return }
    let isEvent = record.kind == .event || record.kind == .eventAndBreadcrumb
    var isKnown = dropped[launch.row]?.contains(record.sequence) == true
    if !isKnown, let expired = launch.expired, record.sequence <= expired {
      isKnown = try ExpiredPositions.hold(record.sequence, of: launch.row, in: database)
    }
    if isKnown {
      if isEvent { launches[launch.row, default: LaunchDelta()].duplicates += 1 }
      return tally.duplicates += isEvent ? 1 : 0
    }
    dropped[launch.row, default: []].insert(record.sequence)
    guard isEvent else { return }
    launches[launch.row, default: LaunchDelta()].dropped += 1
  }

  /// Known like what was here and has been deleted.
  mutating func keepDropped() throws {
    let now = WallClock.now
    for (launch, positions) in dropped {
      try ExpiredPositions.insert(Array(positions), of: launch, at: now, in: database)
      guard let last = positions.max() else { continue }
      for (name, known) in caches.launches where known.row == launch {
        caches.launches[name]?.expired = max(known.expired ?? 0, last)
      }
    }
  }
}
