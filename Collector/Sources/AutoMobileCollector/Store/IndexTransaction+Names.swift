import AutoMobileJournal
import GRDB

/// How what a record names (its context, session, launch and type) becomes rows.
extension IndexTransaction {
  // MARK: Contexts

  mutating func addContext(_ record: Record, _ launch: inout IndexCaches.Launch) throws {
    var scanner = JSONScanner(record.payload, maximumDepth: limits.jsonDepth)
    let fields = try ContextNumber(&scanner)
    if let known = launch.contexts[fields.contextId] {
      launch.current = known
    } else {
      launch.current = try remember(fields.contextId, record.payload, &launch)
    }
    statements.setCurrentContext.bind(1, launch.current?.row)
    statements.setCurrentContext.bind(2, launch.row)
    try statements.setCurrentContext.run()
  }

  /// A context that the launch has told before.
  func context(_ id: Int64, _ launch: inout IndexCaches.Launch) throws -> IndexCaches.Context? {
    if let known = launch.contexts[id] { return known }
    guard let found = try statements.findContext(launch: launch.row, id: id) else { return nil }
    launch.contexts[id] = found
    return found
  }

  /// Equal contexts of expanded events are kept once: their name is their contents'.
  mutating func embeddedContext(
    _ json: UnsafeRawBufferPointer, _ launch: inout IndexCaches.Launch
  ) throws -> IndexCaches.Context? {
    let id = -1 - Int64(SyntheticNames.hash(json, seed: 3) >> 2)
    if let known = try context(id, &launch) { return known }
    return try remember(id, json, &launch)
  }

  mutating func remember(
    _ id: Int64, _ json: UnsafeRawBufferPointer, _ launch: inout IndexCaches.Launch
  ) throws -> IndexCaches.Context {
    let record = try ContextRecord(json: json)
    var session: Int64?
    if let name = record.sessionId { session = try self.session(name) }
    statements.insertContext.bind(1, launch.row)
    statements.insertContext.bind(2, id)
    statements.insertContext.bind(3, session)
    statements.insertContext.bind(4, blob: json)
    try statements.insertContext.run()
    // What a context without a session says is true of the launch's own session.
    let described = if let session { session } else { try fallbackSession(&launch) }
    sessions[described, default: SessionDelta()].context = record
    if let bundleId = record.bundleId { sessions[described]?.bundleId = bundleId }
    guard let context = try statements.findContext(launch: launch.row, id: id) else {
      throw JSONError(offset: 0, message: "the context could not be kept")
    }
    launch.contexts[id] = context
    return context
  }

  // MARK: Names

  mutating func launch(_ header: BatchHeader) throws -> IndexCaches.Launch {
    let id = header.launchId.description
    if caches.launches[header.launchId] == nil {
      let row = try Self.row(of: id, what: "launch", find: statements.findLaunch, insert: statements.insertLaunch)
      var launch = IndexCaches.Launch(row: row)
      launch.current = try statements.findCurrentContext(launch: row)
      launch.expired = try ExpiredPositions.last(of: row, in: database)
      caches.launches[header.launchId] = launch
    }
    let launch = caches.launches[header.launchId] ?? IndexCaches.Launch(row: 0)
    try statements.updateLaunch(launch.row, header)
    return launch
  }

  /// The row of a launch of which something has come; nil when there is none.
  func knownLaunch(_ id: String) throws -> Int64? {
    if let launch = LaunchID(id).flatMap({ caches.launches[$0] }) { return launch.row }
    statements.findLaunch.bind(1, id)
    return try statements.findLaunch.integer()
  }

  mutating func session(_ id: String) throws -> Int64 {
    if let known = caches.sessions[id] { return known }
    let row = try Self.row(of: id, what: "session", find: statements.findSession, insert: statements.insertSession)
    caches.sessions[id] = row
    return row
  }

  mutating func session(
    of context: IndexCaches.Context?, _ launch: inout IndexCaches.Launch
  ) throws -> Int64 {
    if let session = context?.session { return session }
    return try fallbackSession(&launch)
  }

  mutating func fallbackSession(_ launch: inout IndexCaches.Launch) throws -> Int64 {
    if let known = launch.fallbackSession { return known }
    let row = try session(try statements.fallbackSessionName(launch: launch.row))
    launch.fallbackSession = row
    return row
  }

  mutating func type(_ name: String) throws -> Int64 {
    if let known = caches.types[name] { return known }
    let row = try Self.row(of: name, what: "event type", find: statements.findType, insert: statements.insertType)
    caches.types[name] = row
    return row
  }

  /// The row that has a name, made when there is none.
  private static func row(
    of name: String, what: String, find: BoundStatement, insert: BoundStatement
  ) throws -> Int64 {
    insert.bind(1, name)
    try insert.run()
    find.bind(1, name)
    guard let row = try find.integer() else { throw DatabaseError(message: "the \(what) \(name) could not be kept") }
    return row
  }
}

/// Just the number of a context record, and that it is JSON.
private struct ContextNumber {
  var contextId: Int64

  init(_ scanner: inout JSONScanner) throws {
    var number: Int64?
    try scanner.document { scanner in
      try scanner.object { scanner, key in
        if scanner.matches(key, "contextId"), try scanner.peek() == .number {
          number = try scanner.integer()
        } else {
          try scanner.skip()
        }
      }
    }
    guard let number else { throw JSONError(offset: 0, message: "the context has no contextId") }
    contextId = number
  }
}
