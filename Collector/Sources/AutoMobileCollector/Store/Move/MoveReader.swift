import AutoMobileClickHouse
import AutoMobileJournal
import Foundation
import GRDB

/// Reads an index in the order in which it got its events, piece by piece.
struct MoveReader {
  /// Of one piece.
  struct Most {
    var events = 20_000
    var bytes = 8 << 20
  }

  /// An event as the index has it, and where ClickHouse has it.
  struct Event: Sendable, Equatable {
    var id: Int64
    var project: String
    var session: String
    var launch: String
    var position: Int64
    var timestamp: Int64
    var received: Int64
    var type: String
    var payload: Data
  }

  private struct Known {
    var first: Int64
    var position: Int64
  }

  let store: EventStore
  var most = Most()

  private static let columns = """
    SELECT event.id, owner.name, launch.given, launch.bundleId, launch.sdkVersion, event.sequence, event.received,
      event_type.name, event.payload, event.launch, context.id, context.contextId, context.json, session.given,
      event.timestamp
    FROM event JOIN launch ON launch.id = event.launch JOIN owner ON owner.id = launch.owner
      JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
      LEFT JOIN context ON context.id = event.context
    WHERE event.id > ? ORDER BY event.id LIMIT ?
    """

  /// Calls `body` with each event of a piece.
  private func each(after event: Int64, _ body: (Database, RawRows) throws -> Void) throws {
    try store.pool.read { database in
      var bytes = 0
      try RawRows.some(database, sql: Self.columns, arguments: [event, most.events]) { row in
        bytes += (row.bytes(8)?.count ?? 0) + (row.bytes(12)?.count ?? 0)
        try body(database, row)
        return bytes < most.bytes
      }
    }
  }

  private static func launch(_ row: RawRows, _ column: Int32) throws -> LaunchID {
    guard let id = LaunchID(row.text(column)) else {
      throw CollectorError.telemetryUnusable(reason: "the index has a launch without a name: \(row.text(column))")
    }
    return id
  }

  private static func optional(_ row: RawRows, _ column: Int32) -> String? {
    row.bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Moving

  /// Adds the events behind one, and gives them numbers.
  ///
  /// - Returns: the last of them, and how many there are; nil: there is none.
  func add(
    after event: Int64, to rows: inout TelemetryRows, _ numbers: inout MoveNumbers
  ) throws -> (event: Int64, count: Int)? {
    var (last, count) = (event, 0)
    // What is first and least of a context, by its row.
    var known: [Int64: [Int64: Known]] = [:]
    try each(after: event) { database, row in
      let id = row.integer(0)
      let launch = row.integer(9)
      if row.optionalInteger(10) != nil, known[launch] == nil {
        known[launch] = try Self.contexts(of: launch, database)
      }
      let context = row.optionalInteger(10).map { context in
        TelemetryRows.StoredContext(
          number: row.integer(11), json: row.bytes(12).map(Array.init) ?? [],
          isNew: known[launch]?[context].map { $0.first > event } ?? true,
          position: max(0, (known[launch]?[context]?.position ?? 1) - 1))
      }
      let stored = TelemetryRows.Stored(
        owner: DataOwner(name: row.text(1)), launch: try Self.launch(row, 2), bundle: Self.optional(row, 3),
        sdk: Self.optional(row, 4), isBreadcrumb: row.text(7) == EventTypes.breadcrumb, position: row.integer(5),
        received: row.integer(6), payload: row.bytes(8) ?? UnsafeRawBufferPointer(start: nil, count: 0))
      do {
        try rows.add(stored, context: context, id: numbers.next(row.integer(6)))
      } catch is ErasedRecord {
        // Its number stays its own: those behind it keep theirs.
        rows.tally.dropped += 1
      } catch {
        throw CollectorError.telemetryUnusable(
          reason: "event \(stored.position) of launch \(stored.launch) cannot be read: \(error)")
      }
      last = id
      count += 1
    }
    return count == 0 ? nil : (last, count)
  }

  private static func contexts(of launch: Int64, _ database: Database) throws -> [Int64: Known] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT context, MIN(id), MIN(sequence) FROM event WHERE launch = ? AND context IS NOT NULL GROUP BY context
        """, arguments: [launch])
    var known: [Int64: Known] = [:]
    while let row = try rows.next() { known[row[0]] = Known(first: row[1], position: row[2]) }
    return known
  }

  /// Adds the ledgers of launches behind one.
  ///
  /// - Returns: the last of them; nil: there is none.
  func addLaunches(after launch: Int64, to rows: inout TelemetryRows) throws -> Int64? {
    try store.pool.read { database in
      var last: Int64?
      try RawRows.each(
        database,
        sql: """
          SELECT launch.id, owner.name, given, bundleId, sdkVersion, recorded, dropped, torn, final, kept,
            COALESCE(heard, (SELECT MAX(received) FROM event WHERE event.launch = launch.id), last, 0)
          FROM launch JOIN owner ON owner.id = launch.owner WHERE launch.id > ? ORDER BY launch.id LIMIT 5000
          """, arguments: [launch]
      ) { row in
        last = row.integer(0)
        let dropped = try? JSONDecoder().decode([String: UInt64].self, from: Data(row.text(6).utf8))
        let ledger = LaunchLedger(
          recorded: UInt64(clamping: row.integer(5)), dropped: dropped ?? [:], torn: UInt64(clamping: row.integer(7)),
          final: row.integer(8) != 0, kept: row.optionalInteger(9).map { UInt64(clamping: $0) })
        let stored = TelemetryRows.Stored(
          owner: DataOwner(name: row.text(1)), launch: try Self.launch(row, 2), bundle: Self.optional(row, 3),
          sdk: Self.optional(row, 4), isBreadcrumb: false, position: 0, received: row.integer(10),
          payload: UnsafeRawBufferPointer(start: nil, count: 0))
        rows.add(ledger, of: stored, id: 0)
      }
      return last
    }
  }

  // MARK: Comparing

  /// The events behind one; none at the end.
  func events(after event: Int64) throws -> [Event] {
    var events: [Event] = []
    try each(after: event) { _, row in
      events.append(
        Event(
          id: row.integer(0), project: row.text(1), session: row.text(13), launch: try Self.launch(row, 2).description,
          position: row.integer(5), timestamp: row.integer(14), received: row.integer(6), type: row.text(7),
          payload: row.bytes(8).map { Data($0) } ?? Data()))
    }
    return events
  }
}
