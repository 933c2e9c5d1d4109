import AutoMobileJournal
import GRDB
import GRDBSQLite

/// Puts deliveries into the index: one database transaction, from its beginning to ``finish(at:)``.
///
/// Rows are written as they come; what they add to sessions and launches is summed up and written once at the end.
struct IndexTransaction {
  let database: Database
  let limits: CollectorLimits
  private let hasFullText: Bool
  let statements: IndexStatements
  /// The apps that are projects.
  let projects: Set<String>
  var caches: IndexCaches
  var tally = IndexTally()
  var sessions: [Int64: SessionDelta] = [:]
  var launches: [Int64: LaunchDelta] = [:]
  /// What must not come back, and what was dropped because of that: positions by launch.
  let marks: ErasureMarks
  var dropped: [Int64: Set<Int64>] = [:]
  /// Where ids go on, when events above the newest one have been deleted; the first one that is inserted needs it.
  private var floor: Int64?
  /// The words of the event at hand; one allocation for all.
  private var words: [UInt8] = []

  init(
    _ database: Database, caches: IndexCaches, projects: Set<String> = [], limits: CollectorLimits, hasFullText: Bool
  ) throws {
    self.database = database
    self.caches = caches
    self.projects = projects
    self.limits = limits
    self.hasFullText = hasFullText
    statements = try IndexStatements(database, hasFullText: hasFullText)
    marks = try ErasureMarks(database)
    floor = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT floor FROM event_floor WHERE floor > IFNULL((SELECT MAX(id) FROM event), 0)"))
  }

  // MARK: A delivery

  /// Adds one delivery: a header line and records that were checked before they came into the log.
  mutating func add(_ entry: LogReader.Entry) throws {
    tally.consumed += entry.consumed
    tally.damagedBytes += entry.skipped
    // The log's checksum matches, so this is what was accepted; a header that cannot be read would be a defect here.
    guard let (header, start) = try? BatchHeader.split(entry.body) else { return tally.damagedBytes += entry.consumed }
    let owner = try owner(entry.owner ?? .app(header.bundleId))
    var launch = try launch(header, of: owner, received: entry.receivedAt)
    let bundleId = owner.bundle(header.bundleId)
    try LogRecord.each(of: entry.body, from: start, header, received: entry.receivedAt, bundleId: bundleId) {
      try add($0, &launch)
    }
    caches.launches[IndexCaches.Named(owner: owner.row, name: header.launchId)] = launch
    caches.forgetIfLarge()
  }

  typealias Record = LogRecord

  private mutating func add(_ record: Record, _ launch: inout IndexCaches.Launch) throws {
    do {
      switch record.kind {
      case .event, .eventAndBreadcrumb: try addEvent(record, &launch)
      case .context: try addContext(record, &launch)
      case .breadcrumb: try addBreadcrumb(record, &launch)
      default: break
      }
    } catch is ErasedRecord {
      try drop(record, &launch)
    } catch let error as DatabaseError where !Self.isRecordsOwn(error) {
      throw error
    } catch {
      try quarantine(record, launch, reason: "\(error)")
    }
  }

  /// What no further try can mend: one record must not hold up all others.
  private static func isRecordsOwn(_ error: DatabaseError) -> Bool {
    [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH, .SQLITE_RANGE].contains(error.resultCode)
  }

  // MARK: Events

  private mutating func addEvent(_ record: Record, _ launch: inout IndexCaches.Launch) throws {
    let event = try IndexedEvent(record.payload, limits: limits, words: &words, collecting: hasFullText)
    let (fields, scanner, name, timestamp) = (event.fields, event.scanner, event.name, event.timestamp)
    let type = try type(name)
    let earlier = event.earlier
    let summary = event.summary
    let ending = name == EventTypes.summary && summary == nil ? SummaryEnd(record.payload) : nil
    let (session, context) =
      try ending == nil
      ? place(event, &launch, isSummary: summary != nil)
      : (session: ended(fields, scanner, launch), context: nil)
    if let context, let mark = context.mark {
      // What is told of a session afterwards says when that was; one that cannot be read says nothing that could keep it.
      let began = name == EventTypes.summary ? min(timestamp, summary?.startedAt ?? .min) : timestamp
      try decide(context, in: session, at: began, mark, &launch)
    }
    guard
      let id = try insert(
        record, launch, session: session, type: type, timestamp: timestamp, context: context?.row,
        event.outline)
    else {
      tally.duplicates += 1
      launches[launch.row, default: LaunchDelta()].duplicates += 1
      return
    }
    tally.stored += 1
    launches[launch.row, default: LaunchDelta()].add(
      timestamp: fields.ofLaunch == nil ? timestamp : nil, bytes: record.payload.count)
    let isError = event.isError
    // The one that tells of it is not one of that session's.
    let happenedIn = try earlier.flatMap { try knownLaunch($0, of: launch.owner) }
    if let ending {
      sessions[session, default: SessionDelta()].addEnd(type: type, received: record.received)
      try add(ending, of: session, toldAt: timestamp, by: launch, record)
    } else if name == EventTypes.summary {
      sessions[session, default: SessionDelta()].add(
        summary: summary, type: type, timestamp: timestamp, received: record.received,
        launch: fields.ofLaunch == nil ? launch.row : happenedIn)
      if let summary {
        try add(summary, of: session, toldAt: timestamp, by: launch, about: earlier, record)
      }
    } else {
      sessions[session, default: SessionDelta()].add(
        type: type, timestamp: timestamp, received: record.received, launch: happenedIn ?? launch.row, isEvent: true,
        isError: isError, isOwn: fields.ofLaunch == nil)
    }
    if let bundleId = record.bundleId { sessions[session]?.bundleId = bundleId }
    if let destination = fields.destination {
      sessions[session]?.visit(scanner.decode(destination), at: timestamp)
    }
    if name == "lifecycle" { try LaunchEnds(database: database).add(record.payload, of: launch.owner) }
    if name == "network_request" {
      try NetworkWriter(database, maximumDepth: limits.jsonDepth)
        .add(event: id, session: session, timestamp: timestamp, record.payload)
    }
    if name == "span" {
      try SpanWriter(database, maximumDepth: limits.jsonDepth).add(
        event: id, session: session, owner: launch.owner.row, timestamp: timestamp, record.payload)
    }
    if event.isMeasured {
      let data = try context.flatMap { try statements.contextJSON($0.row) }
      let measured = HealthWriter.Event(
        id: id, session: session, timestamp: timestamp, context: data, owner: launch.owner, bundleId: record.bundleId)
      let writer = HealthWriter(database)
      if name == "custom" {
        try writer.add(measured, record.payload)
      } else {
        try writer.addTap(measured, record.payload)
      }
    }
    if EventReport.Kind(eventType: name) != nil {
      let data = try context.flatMap { try statements.contextJSON($0.row) }
      // In this transaction: a delivery that comes again adds nothing.
      try IssueWriter(database).add(
        IssueWriter.Event(
          id: id, session: session, timestamp: timestamp, type: name, context: data, owner: launch.owner,
          bundleId: record.bundleId),
        record.payload)
      tally.reports += 1
    }
  }

  /// The session and the context that an event belongs to.
  private mutating func place(
    _ event: IndexedEvent, _ launch: inout IndexCaches.Launch, isSummary: Bool
  ) throws -> (session: Int64, context: IndexCaches.Context?) {
    // A raw event names a context record; an expanded one carries the context itself.
    var context: IndexCaches.Context?
    if let id = event.fields.contextId {
      context = try self.context(id, &launch)
    } else if let json = event.context {
      context = try embeddedContext(json, &launch)
    }
    if context?.isErased == true { throw ErasedRecord() }
    if isSummary, let name = event.summarised { return (try session(name, of: launch.owner), context) }
    if let text = event.fields.sessionId {
      let session = try session(event.scanner.decode(text), of: launch.owner)
      return (session, context)
    }
    return (try session(of: context, &launch), context)
  }

  /// The new row's id; nil when the event is there already, or was and has been deleted since.
  private mutating func insert(
    _ record: Record, _ launch: IndexCaches.Launch, session: Int64, type: Int64, timestamp: Int64, context: Int64?,
    _ outline: Outline? = nil
  ) throws -> Int64? {
    if let expired = launch.expired, record.sequence <= expired,
      try ExpiredPositions.hold(record.sequence, of: launch.row, in: database)
    {
      return nil
    }
    let insert = statements.insertEvent
    insert.bind(1, launch.row)
    insert.bind(2, record.sequence)
    insert.bind(3, session)
    insert.bind(4, type)
    insert.bind(5, timestamp)
    insert.bind(6, record.received)
    insert.bind(7, context)
    insert.bind(8, blob: record.payload)
    insert.bind(9, outline?.severity ?? 2)
    insert.bind(10, outline?.duration)
    insert.bind(11, outline?.origin ?? 0)
    insert.bind(12, floor.map { $0 + 1 })
    try insert.run()
    guard sqlite3_changes(database.sqliteConnection) > 0 else { return nil }
    floor = nil
    let id = sqlite3_last_insert_rowid(database.sqliteConnection)
    if let insertText = statements.insertText {
      try words.withUnsafeBytes { words in
        insertText.bind(1, id)
        insertText.bind(2, text: words)
        try insertText.run()
      }
    }
    return id
  }

  private mutating func addBreadcrumb(_ record: Record, _ launch: inout IndexCaches.Launch) throws {
    var scanner = JSONScanner(record.payload, maximumDepth: limits.jsonDepth)
    if hasFullText { scanner.collected = [] }
    let timestamp = try BreadcrumbFields(&scanner).timestamp
    words = scanner.collected ?? []
    if launch.current?.isErased == true { throw ErasedRecord() }
    let type = try type(EventTypes.breadcrumb)
    let session = try session(of: launch.current, &launch)
    if let current = launch.current, let mark = current.mark {
      try decide(current, in: session, at: timestamp, mark, &launch)
    }
    guard
      try insert(
        record, launch, session: session, type: type, timestamp: timestamp, context: launch.current?.row)
        != nil
    else { return }
    sessions[session, default: SessionDelta()].add(
      type: type, timestamp: timestamp, received: record.received, launch: launch.row, isEvent: false, isError: false)
  }

  // MARK: What cannot be indexed

  private mutating func quarantine(_ record: Record, _ launch: IndexCaches.Launch, reason: String) throws {
    let insert = statements.insertQuarantine
    insert.bind(1, launch.row)
    insert.bind(2, record.sequence)
    insert.bind(3, Int64(record.kind.rawValue))
    insert.bind(4, record.received)
    let isKept = launch.current?.isErased != true && launch.current?.mark == nil
    insert.bind(5, isKept ? reason : "erased")
    // Enough to see what it was; of a launch in which something was erased, nothing.
    insert.bind(6, blob: UnsafeRawBufferPointer(rebasing: record.payload.prefix(isKept ? 16 << 10 : 0)))
    insert.bind(7, isKept ? Int64(record.payload.count) : 0)
    try insert.run()
    let isEvent = record.isEvent
    guard sqlite3_changes(database.sqliteConnection) > 0 else {
      if isEvent { launches[launch.row, default: LaunchDelta()].duplicates += 1 }
      return tally.duplicates += 1
    }
    tally.quarantined += 1
    if isEvent { launches[launch.row, default: LaunchDelta()].quarantined += 1 }
  }

  // MARK: The end

  /// Writes the sums and the place in the log that they reach to.
  mutating func finish(at position: LogPosition) throws {
    for (row, delta) in sessions { try statements.updateSession(row, delta) }
    for (row, delta) in launches { try statements.updateLaunch(row, delta) }
    try keepDropped()
    if tally.quarantined > 0 { try statements.trimQuarantine(keeping: limits.quarantineRows) }
    try statements.setPosition(position)
  }
}
