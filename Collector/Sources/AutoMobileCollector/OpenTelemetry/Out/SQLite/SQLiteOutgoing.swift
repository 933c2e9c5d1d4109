import Foundation
import GRDB

/// Reads a session's events by the thousand, and each context once.
struct SQLiteOutgoing: OutgoingReading {
  let store: EventStore

  private static let page = 1000

  func session(_ scope: ReadScope, _ id: String, spans: Bool?) async throws -> OutgoingSession {
    try await store.read(scope) { database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT id, sessionId, bundleId, appVersion, first, last, \(SessionSelection.isLive)
            FROM session WHERE sessionId = ?
            """, arguments: [WallClock.now - SessionRow.liveMilliseconds, id])
      else { throw APIError(.notFound, "no_session", "no session with this id") }
      let rows = try Row.fetchAll(database, sql: "SELECT id, name FROM event_type")
      let types = Dictionary(rows.map { ($0[0] as Int64, $0[1] as String) }) { first, _ in first }
      return OutgoingSession(
        row: row[0], sessionId: row[1], bundleId: row[2], version: row[3], first: row[4], last: row[5],
        isLive: row[6] ?? false, spans: spans ?? false,
        types: types.filter { spans == nil || OutgoingRule.spanTypes.contains($0.value) == spans })
    }
  }

  func page(
    _ scope: ReadScope, _ session: OutgoingSession, after: PageCursor?
  ) async throws -> (rows: [OutgoingRow], isFull: Bool) {
    let types = session.types.keys.sorted()
    guard !types.isEmpty else { return ([], false) }
    let marks = types.map(String.init).joined(separator: ",")
    return try await store.read(scope, .heavy) { [bytes = store.limits.pageBytes] database in
      let cursor = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT id, timestamp, received, type, sequence, launch, context, payload FROM event
            WHERE session = ? AND (timestamp, id) > (?, ?) AND type IN (\(marks)) ORDER BY timestamp, id LIMIT ?
            """), arguments: [session.row, after?.key ?? .min, after?.id ?? .min, Self.page])
      var rows: [OutgoingRow] = []
      var weight = 0
      while let row = try cursor.next() {
        let next = OutgoingRow(
          id: row[0], timestamp: row[1], received: row[2], type: session.types[row[3]] ?? "", sequence: row[4],
          launch: row[5], context: row[6], payload: row[7])
        weight += next.weight
        rows.append(next)
        if weight > bytes { return (rows, true) }
      }
      return (rows, rows.count == Self.page)
    }
  }

  func context(_ scope: ReadScope, of row: OutgoingRow) async throws -> Data? {
    guard let number = row.context else { return nil }
    return try await store.read(scope) { database in
      try Data.fetchOne(
        database.cachedStatement(sql: "SELECT json FROM context WHERE id = ?"), arguments: [number])
    }
  }
}
