import Foundation
import GRDB

/// Takes a session out of the index, some events at a time: each call is one short transaction that leaves everything
/// that is counted right, so it does not matter when the process ends.
struct SessionEraser {
  /// Events of one transaction, and bytes.
  private static let batch = 300
  private static let batchBytes = 2 << 20

  let store: EventStore
  let maximumDepth: Int

  struct Step: Sendable {
    var events = 0
    /// Nothing is left of the session.
    var isDone = false
  }

  private struct Event {
    var id: Int64
    var launch: Int64
    var sequence: Int64
    var type: Int64
    var typeName: String
    var severity: Int64
    var hasDuration: Bool
    var isError: Bool { severity >= Outline.errorSeverity }
    /// Counted in its session.
    var isCounted: Bool { typeName != EventTypes.breadcrumb && typeName != EventTypes.summary }
    /// What a span's event says.
    var span: Data?
  }

  /// Deletes the oldest events of a session, and the session with the last of them.
  func step(_ session: Int64, at now: Int64) throws -> Step {
    try store.pool.write { database in
      let (events, isLast) = try self.events(of: session, in: database)
      let writer = IssueWriter(database)
      let spans = SpanWriter(database, maximumDepth: maximumDepth)
      for event in events {
        for table in ["network", "launch_time", "screen_frames", "tap_trouble"] {
          try database.cachedStatement(sql: "DELETE FROM \(table) WHERE event = ?").execute(arguments: [event.id])
        }
        if EventReport.Kind(eventType: event.typeName) != nil { try writer.remove(event.id) }
        if let span = event.span {
          try span.withUnsafeBytes { try spans.remove(event: event.id, session: session, $0) }
        }
        try database.cachedStatement(sql: "DELETE FROM event WHERE id = ?").execute(arguments: [event.id])
      }
      try note(events, at: now, in: database)
      try noteUnsent(events, of: session, in: database)
      if isLast {
        try removeSession(session, at: now, in: database)
      } else {
        try shrink(session, by: events, in: database)
      }
      // The indexer knows rows by their numbers; the numbers of deleted ones are given to others.
      store.generation.withLockedValue { $0 += 1 }
      return Step(events: events.count, isDone: isLast)
    }
  }

  /// The oldest ones, out of the full text already, and whether there are no others.
  private func events(of session: Int64, in database: Database) throws -> ([Event], isLast: Bool) {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT event.id, launch, sequence, type, event_type.name, payload, severity, duration
          FROM event JOIN event_type ON event_type.id = event.type WHERE session = ? ORDER BY timestamp LIMIT ?
          """), arguments: [session, Self.batch + 1])
    var events: [Event] = []
    var words: [(id: Int64, text: String)] = []
    var bytes = 0
    var isLast = true
    while let row = try rows.next() {
      guard events.count < Self.batch, bytes < Self.batchBytes else {
        isLast = false
        break
      }
      let payload: Data = row[5]
      var event = Event(
        id: row[0], launch: row[1], sequence: row[2], type: row[3], typeName: row[4],
        severity: row[6], hasDuration: row[7] as Int64? != nil)
      if event.typeName == "span" { event.span = payload }
      bytes += payload.count
      if store.hasFullText {
        let isBreadcrumb = event.typeName == EventTypes.breadcrumb
        let text = payload.withUnsafeBytes {
          SearchText.words(of: $0, isBreadcrumb: isBreadcrumb, maximumDepth: maximumDepth)
        }
        words.append((event.id, text))
      }
      events.append(event)
    }
    let forget =
      words.isEmpty
      ? nil
      : try database.cachedStatement(sql: "INSERT INTO event_text(event_text, rowid, text) VALUES ('delete', ?, ?)")
    for (id, text) in words { try forget?.execute(arguments: [id, text]) }
    return (events, isLast)
  }

  /// What must be known of deleted events: their positions, how many they were, and how far ids had come.
  private func note(_ events: [Event], at now: Int64, in database: Database) throws {
    for (launch, events) in Dictionary(grouping: events, by: \.launch) {
      try ExpiredPositions.insert(events.map(\.sequence), of: launch, at: now, in: database)
      // Breadcrumbs are not in a launch's ledger.
      try database.cachedStatement(sql: "UPDATE launch SET expired = expired + ? WHERE id = ?")
        .execute(arguments: [events.count { $0.typeName != EventTypes.breadcrumb }, launch])
    }
    if let highest = events.map(\.id).max() {
      try database.cachedStatement(sql: "UPDATE event_floor SET floor = MAX(floor, ?)").execute(arguments: [highest])
    }
  }

  /// How far a lane has come says something about this index, and is kept in its file, wherever the forwarders are: one transaction,
  /// counted once.
  private func noteUnsent(_ events: [Event], of session: Int64, in database: Database) throws {
    // The begin of a span is never sent.
    let expiring = events.filter { $0.typeName != "span" || $0.hasDuration }
      .map { ForwardLedger.Expiring(id: $0.id, type: $0.typeName, severity: $0.severity) }
    try store.own.within(database) {
      try ForwardLedger.note(expiring: expiring, of: { try ForwardedApp(of: session, in: database) }, in: $0)
    }
  }

  private func shrink(_ session: Int64, by events: [Event], in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE session SET events = events - ?, errors = errors - ?,
          first = (SELECT MIN(event.timestamp) FROM event WHERE event.session = session.id) WHERE id = ?
        """
    ).execute(arguments: [
      events.count { $0.isCounted }, events.count { $0.isError }, session,
    ])
    for (type, events) in Dictionary(grouping: events, by: \.type) {
      try database.cachedStatement(sql: "UPDATE session_type SET n = n - ? WHERE session = ? AND type = ?")
        .execute(arguments: [events.count, session, type])
    }
    try database.cachedStatement(sql: "DELETE FROM session_type WHERE session = ? AND n <= 0")
      .execute(arguments: [session])
  }

  private func removeSession(_ session: Int64, at now: Int64, in database: Database) throws {
    // A launch's present context stays: its next events name it. Later launches that told of this session have one, too.
    try database.execute(
      sql: """
        DELETE FROM context WHERE session = ?1
          AND id NOT IN (SELECT context FROM launch WHERE launch.id = context.launch AND context IS NOT NULL)
        """, arguments: [session])
    for table in ["session_launch", "session_type", "session_screen", "session_summary"] {
      try database.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [session])
    }
    try SpanWriter.leave(session: session, in: database)
    try ReplayEraser.remove(session: session, in: database)
    try database.execute(
      sql: "DELETE FROM session_import WHERE sessionId = (SELECT sessionId FROM session WHERE id = ?)",
      arguments: [session])
    // Its number is given to another one.
    try database.execute(sql: "DELETE FROM erasure_session WHERE session = ?", arguments: [session])
    try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session])
  }
}
