import Foundation
import GRDB

/// What is passed on, out of the index: its events' numbers are the order in which they came.
struct SQLiteForwards: ForwardReading {
  let store: EventStore

  func newest(_ scope: ReadScope?) async throws -> Int64 {
    guard let scope else { return try await store.pool.read { try ForwardReader.newest(in: $0) } }
    return try await store.read(scope) { try ForwardReader.newest(in: $0) }
  }

  func look(
    after cursor: Int64, _ filter: ForwardFilter, records: Int, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> ForwardLook {
    try await thread.run { [store] in
      try store.pool.read { try Self.look(after: cursor, filter, records, limits, in: $0) }
    }
  }

  func behind(_ scope: ReadScope?, _ cursors: Set<Int64>) async throws -> [Int64: Int64] {
    let newest = try await newest(scope)
    return Dictionary(uniqueKeysWithValues: cursors.map { ($0, max(0, newest - $0)) })
  }

  func place(leaving most: Int64, after cursor: Int64) async throws -> Int64? {
    let newest = try await newest(nil)
    return newest - cursor > most ? newest - most : nil
  }

  func stride(_ limits: ForwardLimits) -> Int64 { limits.window }

  private struct Name: Hashable {
    var session: Int64
    var context: Int64?
  }

  private static func look(
    after cursor: Int64, _ filter: ForwardFilter, _ records: Int, _ limits: ForwardLimits, in database: Database
  ) throws -> ForwardLook {
    let newest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM event")) ?? 0
    guard newest > cursor else { return ForwardLook(end: cursor, isLast: true) }
    // What is deleted leaves gaps, which may be wide.
    let first = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT MIN(id) FROM event WHERE id > ?"), arguments: [cursor])
    let limit = min(newest, (first ?? newest) + limits.window)
    let types = try wantedTypes(filter, in: database)
    guard !types.isEmpty else { return ForwardLook(end: newest, isLast: true) }
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT id, timestamp, received, type, sequence, context, payload, session, launch FROM event
          WHERE id > ? AND id <= ? AND severity >= ? AND type IN (\(types.keys.sorted().map(String.init).joined(separator: ",")))
          ORDER BY id
          """), arguments: [cursor, limit, filter.level])
    var names = ForwardNames(database)
    var look = ForwardLook(end: limit, isLast: limit == newest)
    var numbers: [Name: Int] = [:]
    var (count, weight) = (0, 0)
    while let row = try rows.next() {
      let session = try names.session(row[7])
      guard !session.isImported, filter.bundleId == nil || session.bundleId == filter.bundleId else { continue }
      let event = OutgoingRow(
        id: row[0], timestamp: row[1], received: row[2], type: types[row[3]] ?? "", sequence: row[4], context: row[5],
        payload: row[6])
      let name = Name(session: row[7], context: event.context)
      if numbers[name] == nil {
        numbers[name] = look.groups.count
        look.groups.append(.init(context: try names.context(event.context, of: session)))
      }
      if let number = numbers[name] { look.groups[number].rows.append((event, try names.launch(row[8]))) }
      (count, weight) = (count + 1, weight + event.weight)
      guard count < records, weight < limits.bytes else {
        (look.end, look.isLast) = (event.id, false)
        return look
      }
    }
    return look
  }

  private static func wantedTypes(_ filter: ForwardFilter, in database: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(database.cachedStatement(sql: "SELECT id, name FROM event_type"))
    return Dictionary(rows.map { ($0[0] as Int64, $0[1] as String) }.filter { filter.wants(type: $0.1) }) { $1 }
  }

  // MARK: What is left out

  func count(
    after cursor: Int64, upTo end: Int64, _ filter: ForwardFilter, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> (count: Int, end: Int64) {
    try await thread.run { [store] in
      try store.pool.read { database in
        let limit = min(end, cursor + limits.window)
        let types = try Self.wantedTypes(filter, in: database)
        let list = types.keys.sorted().map(String.init).joined(separator: ",")
        let span = types.first { $0.value == "span" }?.key
        let count = try Int.fetchOne(
          database,
          sql: """
            SELECT COUNT(*) FROM event JOIN session ON session.id = session
            WHERE event.id > ?1 AND event.id <= ?2 AND severity >= ?3 AND type IN (\(list))
              AND NOT EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
              AND (?4 IS NULL OR bundleId = ?4) AND (?5 IS NULL OR type <> ?5 OR duration IS NOT NULL)
            """, arguments: [cursor, limit, filter.level, filter.bundleId, span])
        return (count ?? 0, limit)
      }
    }
  }
}

extension ForwardReader {
  /// The highest id that an event has, or had.
  static func newest(in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT MAX(IFNULL((SELECT MAX(id) FROM event), 0), IFNULL((SELECT floor FROM event_floor), 0))")) ?? 0
  }
}
