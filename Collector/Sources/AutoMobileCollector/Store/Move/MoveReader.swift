import AutoMobileClickHouse
import AutoMobileJournal
import Foundation
import GRDB

/// Reads an index in the order in which it got its events, piece by piece. What was opened from files is left out: it is opened again.
struct MoveReader {
  /// Of one piece.
  struct Most {
    var events = 20_000
    var bytes = 8 << 20
  }

  /// An event as an index, or ClickHouse, has it.
  struct Event: Sendable, Equatable {
    var project: String
    var session: String
    var launch: String
    var position: Int64
    var timestamp: Int64
    var received: Int64
    var type: String
    var payload: Data
  }

  /// An event, and what only the index has of it.
  struct Indexed: Sendable {
    var id: Int64
    var event: Event
    var context: Data?
  }

  /// What is added at once.
  struct Piece: Sendable {
    /// The last event of it.
    var event: Int64
    var count = 0
    var erased = 0
    var unreadable = 0
  }

  /// Of a context: the first event that names it, and the least position of them all.
  private struct Known {
    var first: Int64
    var position: Int64
  }

  let store: EventStore
  let most: Most
  /// Of launches that have been read, by context.
  private var known: [Int64: [Int64: Known]] = [:]
  private static let mostKnown = 1000

  init(store: EventStore, most: Most = Most()) { (self.store, self.most) = (store, most) }

  private static let columns = """
    SELECT event.id, owner.name, launch.given, launch.bundleId, launch.sdkVersion, event.sequence, event.received,
      event_type.name, event.payload, event.launch, context.id, context.contextId, context.json, session.given,
      event.timestamp
    FROM event JOIN launch ON launch.id = event.launch JOIN owner ON owner.id = launch.owner
      JOIN event_type ON event_type.id = event.type JOIN session ON session.id = event.session
      LEFT JOIN context ON context.id = event.context
    WHERE event.id > ? AND \(isMoved) ORDER BY event.id LIMIT ?
    """
  static let isMoved = "owner.name NOT LIKE 'file %'"

  func count() async throws -> Int {
    try await store.pool.read { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT COUNT(*) FROM event JOIN launch ON launch.id = event.launch JOIN owner ON owner.id = launch.owner
          WHERE \(Self.isMoved)
          """) ?? 0
    }
  }

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
  /// - Returns: nil: there are none.
  mutating func add(
    after event: Int64, to rows: inout TelemetryRows, _ numbers: inout MoveNumbers
  ) throws -> Piece? {
    var piece = Piece(event: event)
    if known.count > Self.mostKnown { known = [:] }
    // Changed while it is read.
    var contexts = known
    try each(after: event) { database, row in
      let launch = row.integer(9)
      if row.optionalInteger(10) != nil, contexts[launch] == nil {
        contexts[launch] = try Self.contexts(of: launch, database)
      }
      let context = row.optionalInteger(10).map { context in
        let known = contexts[launch]?[context]
        return TelemetryRows.StoredContext(
          number: row.integer(11), json: row.bytes(12).map(Array.init) ?? [],
          isNew: known.map { $0.first > event } ?? true,
          position: max(0, (known?.position ?? 1) - 1))
      }
      let stored = TelemetryRows.Stored(
        owner: DataOwner(name: row.text(1)), launch: try Self.launch(row, 2), bundle: Self.optional(row, 3),
        sdk: Self.optional(row, 4), isBreadcrumb: row.text(7) == EventTypes.breadcrumb, position: row.integer(5),
        received: row.integer(6), payload: row.bytes(8) ?? UnsafeRawBufferPointer(start: nil, count: 0))
      switch rows.add(stored, context: context, id: try numbers.next(row.integer(6))) {
      case .kept: break
      case .erased: piece.erased += 1
      case .unreadable: piece.unreadable += 1
      }
      piece.event = row.integer(0)
      piece.count += 1
    }
    known = contexts
    return piece.count == 0 ? nil : piece
  }

  /// Contexts that no event names yet.
  func unnamed() throws -> [Int64] {
    try store.pool.read { database in
      try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM context WHERE contextId >= 0 AND erased = 0
            AND id NOT IN (SELECT context FROM event WHERE context IS NOT NULL) ORDER BY id
          """)
    }
  }

  /// Adds some of these.
  func add(contexts: ArraySlice<Int64>, to rows: inout TelemetryRows, id: Int64) throws {
    guard let first = contexts.first, let last = contexts.last else { return }
    let wanted = Set(contexts)
    try store.pool.read { database in
      try RawRows.some(
        database,
        sql: """
          SELECT context.id, owner.name, launch.given, launch.bundleId, launch.sdkVersion, contextId, json,
            (SELECT MAX(sequence) FROM event WHERE event.launch = launch.id), COALESCE(launch.heard, last, 0)
          FROM context JOIN launch ON launch.id = context.launch JOIN owner ON owner.id = launch.owner
          WHERE context.id BETWEEN ? AND ? AND \(Self.isMoved)
          """, arguments: [first, last]
      ) { row in
        guard wanted.contains(row.integer(0)) else { return true }
        let position = row.optionalInteger(7) ?? 0
        let context = TelemetryRows.StoredContext(
          number: row.integer(5), json: row.bytes(6).map(Array.init) ?? [], isNew: true, position: position)
        let stored = TelemetryRows.Stored(
          owner: DataOwner(name: row.text(1)), launch: try Self.launch(row, 2), bundle: Self.optional(row, 3),
          sdk: Self.optional(row, 4), isBreadcrumb: false, position: position, received: row.integer(8),
          payload: UnsafeRawBufferPointer(start: nil, count: 0))
        rows.add(context, of: stored, id: id)
        return true
      }
    }
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
  func addLaunches(after launch: Int64, to rows: inout TelemetryRows, _ progress: MoveProgress) throws -> Int64? {
    try store.pool.read { database in
      var last: Int64?
      try RawRows.each(
        database,
        sql: """
          SELECT launch.id, owner.name, given, bundleId, sdkVersion, recorded, dropped, torn, final, kept,
            COALESCE(heard, (SELECT MAX(received) FROM event WHERE event.launch = launch.id), last, 0),
            EXISTS (SELECT 1 FROM event WHERE event.launch = launch.id)
          FROM launch JOIN owner ON owner.id = launch.owner WHERE launch.id > ? AND \(Self.isMoved)
          ORDER BY launch.id LIMIT 5000
          """, arguments: [launch]
      ) { row in
        let id = row.integer(0)
        last = id
        let dropped = try? JSONDecoder().decode([String: UInt64].self, from: Data(row.text(6).utf8))
        let ledger = LaunchLedger(
          recorded: UInt64(clamping: row.integer(5)), dropped: dropped ?? [:], torn: UInt64(clamping: row.integer(7)),
          final: row.integer(8) != 0, kept: row.optionalInteger(9).map { UInt64(clamping: $0) })
        let stored = TelemetryRows.Stored(
          owner: DataOwner(name: row.text(1)), launch: try Self.launch(row, 2), bundle: Self.optional(row, 3),
          sdk: Self.optional(row, 4), isBreadcrumb: false, position: 0, received: row.integer(10),
          payload: UnsafeRawBufferPointer(start: nil, count: 0))
        // By the time at which it was heard of; those of one millisecond have places of their own.
        let place =
          FrameNumbers.first(at: min(stored.received, progress.begun)) + id % 125 * FrameNumbers.step
          + Int64(progress.number)
        rows.add(ledger, of: stored, id: row.integer(11) != 0 ? nil : place)
      }
      return last
    }
  }

  // MARK: Comparing

  /// The events behind one; none at the end.
  func events(after event: Int64) throws -> [Indexed] {
    var events: [Indexed] = []
    try each(after: event) { _, row in
      let event = Event(
        project: row.text(1), session: row.text(13), launch: try Self.launch(row, 2).description,
        position: row.integer(5), timestamp: row.integer(14), received: row.integer(6), type: row.text(7),
        payload: row.bytes(8).map { Data($0) } ?? Data())
      events.append(Indexed(id: row.integer(0), event: event, context: row.bytes(12).map { Data($0) }))
    }
    return events
  }
}
