import CZlib
import Foundation
import GRDB
import NIOCore

/// Makes requests out of the index: what came after a place, in the order in which it came.
struct ForwardReader: Sendable {
  let store: EventStore
  let filter: ForwardFilter
  let format: OTLPFormat
  let compresses: Bool
  /// What this collector calls itself, for those that are sent what it forwards.
  var collector = ""
  var limits = ForwardLimits()

  /// Events of one context in one session: what is said of all of them stands once.
  private struct Group: Hashable {
    var session: Int64
    var context: Int64?
  }

  private struct Found {
    var rows: [(row: OutgoingRow, launch: String)] = []
    var context: OutgoingContext
  }

  /// - Parameter records: at most so many.
  func batch(after cursor: Int64, records: Int) throws -> ForwardBatch {
    let (groups, read) = try store.pool.read { database in try look(after: cursor, records, in: database) }
    var batch = read
    var messages = OutgoingMessages(
      format, filter.signal == .logs ? .log : .span, maximumDepth: store.maximumDepth)
    for (number, group) in groups.enumerated() {
      for (row, launch) in group.rows {
        let record = OutgoingRecord(row, maximumDepth: store.maximumDepth)
        switch filter.signal {
        case .logs:
          var log = record.logRecord(group.context)
          // The same whenever it goes out, so that a receiver can tell what it has.
          log.attributes.append(OTLP.KeyValue("log.record.uid", "\(launch)-\(UInt64(bitPattern: row.sequence))"))
          messages.add(log, group.context, Int64(number))
        case .traces:
          // Its end says everything again.
          if !record.isOpen { messages.add(record.span(group.context), group.context, Int64(number)) }
        }
      }
    }
    batch.count = messages.count
    guard let bytes = messages.take() else { return batch }
    let short = compresses ? Gzip.compressed(bytes, level: Z_BEST_SPEED) : nil
    (batch.body, batch.isCompressed) = (short ?? bytes, short != nil)
    return batch
  }

  private func look(after cursor: Int64, _ records: Int, in database: Database) throws -> ([Found], ForwardBatch) {
    let newest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM event")) ?? 0
    guard newest > cursor else { return ([], ForwardBatch(end: cursor, isLast: true)) }
    // What is deleted leaves gaps, which may be wide.
    let first = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT MIN(id) FROM event WHERE id > ?"), arguments: [cursor])
    let limit = min(newest, (first ?? newest) + limits.window)
    let types = try wantedTypes(in: database)
    guard !types.isEmpty else { return ([], ForwardBatch(end: newest, isLast: true)) }
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT id, timestamp, received, type, sequence, context, payload, session, launch FROM event
          WHERE id > ? AND id <= ? AND severity >= ? AND type IN (\(types.keys.sorted().map(String.init).joined(separator: ",")))
          ORDER BY id
          """), arguments: [cursor, limit, filter.level])
    var names = ForwardNames(database)
    var groups: [Found] = []
    var numbers: [Group: Int] = [:]
    var (count, weight) = (0, 0)
    while let row = try rows.next() {
      let session = try names.session(row[7])
      guard !session.isImported, filter.bundleId == nil || session.bundleId == filter.bundleId else { continue }
      let event = OutgoingRow(
        id: row[0], timestamp: row[1], received: row[2], type: types[row[3]] ?? "", sequence: row[4], context: row[5],
        payload: row[6])
      let group = Group(session: row[7], context: event.context)
      if numbers[group] == nil {
        numbers[group] = groups.count
        var context = try names.context(event.context, of: session)
        ForwardTrail.sign(&context.resource, as: collector)
        groups.append(Found(context: context))
      }
      if let number = numbers[group] { groups[number].rows.append((event, try names.launch(row[8]))) }
      (count, weight) = (count + 1, weight + event.weight)
      if count >= records || weight >= limits.bytes { return (groups, ForwardBatch(end: event.id)) }
    }
    return (groups, ForwardBatch(end: limit, isLast: limit == newest))
  }

  private func wantedTypes(in database: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(database.cachedStatement(sql: "SELECT id, name FROM event_type"))
    return Dictionary(rows.map { ($0[0] as Int64, $0[1] as String) }.filter { filter.wants(type: $0.1) }) { $1 }
  }

  /// The highest id that an event has, or had.
  static func newest(in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT MAX(IFNULL((SELECT MAX(id) FROM event), 0), IFNULL((SELECT floor FROM event_floor), 0))")) ?? 0
  }

  // MARK: What is left out

  /// How many records are wanted after a place, up to another one and at most so many ids further.
  ///
  /// - Returns: and where the count ended.
  func count(after cursor: Int64, upTo end: Int64) throws -> (count: Int, end: Int64) {
    try store.pool.read { database in
      let limit = min(end, cursor + limits.window)
      let types = try wantedTypes(in: database)
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
