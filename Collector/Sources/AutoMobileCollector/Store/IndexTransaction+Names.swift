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
    guard let found = try statements.findContext(id, of: launch) else { return nil }
    launch.contexts[id] = found
    return found
  }

  /// Equal contexts of expanded events are kept once: their name is their contents'.
  mutating func embeddedContext(
    _ json: UnsafeRawBufferPointer, _ launch: inout IndexCaches.Launch
  ) throws -> IndexCaches.Context? {
    let id = ContextNumber.embedded(json)
    if let known = try context(id, &launch) { return known }
    return try remember(id, json, &launch)
  }

  mutating func remember(
    _ id: Int64, _ json: UnsafeRawBufferPointer, _ launch: inout IndexCaches.Launch
  ) throws -> IndexCaches.Context {
    let record = try ContextRecord(json: json)
    var session: Int64?
    if let name = record.sessionId {
      if try isErased(session: name, of: launch.owner) { return try rememberErased(id, &launch) }
      session = try self.session(name, of: launch.owner)
    }
    statements.insertContext.bind(1, launch.row)
    statements.insertContext.bind(2, id)
    statements.insertContext.bind(3, session)
    statements.insertContext.bind(4, blob: json)
    try statements.insertContext.run()
    // What a context without a session says is true of the launch's own session.
    let described = if let session { session } else { try fallbackSession(&launch) }
    sessions[described, default: SessionDelta()].context = record
    if let bundleId = record.bundleId, launch.owner.admits(bundleId) { sessions[described]?.bundleId = bundleId }
    guard var context = try statements.findContext(id, of: launch) else {
      throw JSONError(offset: 0, message: "the context could not be kept")
    }
    if !marks.isEmpty, let mark = try marks.mark(of: record, launch.owner.owner) {
      context.mark = mark
      try noteMarked(context, mark)
    }
    launch.contexts[id] = context
    return context
  }

  // MARK: Names

  mutating func owner(_ owner: DataOwner) throws -> IndexCaches.Owner {
    let row = try caches.owners[owner] ?? OwnerTable.row(of: owner, in: database)
    caches.owners[owner] = row
    return IndexCaches.Owner(row: row, owner: owner, projects: projects)
  }

  mutating func launch(
    _ header: BatchHeader, of owner: IndexCaches.Owner, received: Int64
  ) throws -> IndexCaches.Launch {
    let key = IndexCaches.Named(owner: owner.row, name: header.launchId)
    if var known = caches.launches[key] {
      known.owner = owner
      try statements.updateLaunch(known, header, received: received)
      return known
    }
    let row = try statements.row(
      of: header.launchId.description, owner, find: statements.findLaunch, in: "launch", column: "launchId")
    var launch = IndexCaches.Launch(row: row, name: header.launchId.description, owner: owner)
    launch.current = try statements.findCurrentContext(of: launch)
    launch.expired = try ExpiredPositions.last(of: row, in: database)
    caches.launches[key] = launch
    try statements.updateLaunch(launch, header, received: received)
    return launch
  }

  /// The row of a launch of the same app of which something has come; nil when there is none.
  func knownLaunch(_ id: String, of owner: IndexCaches.Owner) throws -> Int64? {
    if let name = LaunchID(id), let launch = caches.launches[IndexCaches.Named(owner: owner.row, name: name)] {
      return launch.row
    }
    statements.findLaunch.bind(1, owner.row)
    statements.findLaunch.bind(2, id)
    return try statements.findLaunch.integer()
  }

  /// The row of a session of the same app of which something has come; nil when there is none.
  func knownSession(_ name: String, of owner: IndexCaches.Owner) throws -> Int64? {
    if let known = caches.sessions[IndexCaches.Named(owner: owner.row, name: name)] { return known }
    statements.findSession.bind(1, owner.row)
    statements.findSession.bind(2, name)
    return try statements.findSession.integer()
  }

  mutating func session(_ name: String, of owner: IndexCaches.Owner) throws -> Int64 {
    let key = IndexCaches.Named(owner: owner.row, name: name)
    if let known = caches.sessions[key] { return known }
    if try isErased(session: name, of: owner) { throw ErasedRecord() }
    let row = try statements.row(of: name, owner, find: statements.findSession, in: "session", column: "sessionId")
    caches.sessions[key] = row
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
    let row = try session(try statements.fallbackSessionName(launch: launch.row), of: launch.owner)
    launch.fallbackSession = row
    return row
  }

  mutating func type(_ name: String) throws -> Int64 {
    if let known = caches.types[name] { return known }
    guard let row = try findType(name) ?? findType(NameLimits.otherType) else {
      throw DatabaseError(message: "the event type \(name) could not be kept")
    }
    caches.types[name] = row
    return row
  }

  /// Made when there is none, as long as there is room.
  private func findType(_ name: String) throws -> Int64? {
    statements.insertType.bind(1, name)
    try statements.insertType.run()
    statements.findType.bind(1, name)
    return try statements.findType.integer()
  }
}
