import AutoMobileClickHouse
import AutoMobileJournal

/// Contexts, by which events are found to be of a session and of somebody.
extension TelemetryRows {
  mutating func addContext(_ record: LogRecord, id: Int64, _ launch: inout BatchLaunch) throws {
    var scanner = JSONScanner(record.payload, maximumDepth: limits.jsonDepth)
    let number = try ContextNumber(&scanner).contextId
    if launch.contexts[number] == nil {
      try remember(number, record.payload, record, id: id, position: record.sequence, &launch)
    }
    launch.note(number, at: record.sequence)
  }

  /// - Parameter position: of its record; -1 for one that an event carries.
  @discardableResult
  mutating func remember(
    _ number: Int64, _ json: UnsafeRawBufferPointer, _ record: LogRecord, id: Int64, position: Int64,
    _ launch: inout BatchLaunch
  ) throws -> KnownContext {
    let context = try ContextRecord(json: json)
    let bundle = context.bundleId.map { String($0.prefix(DataOwner.longestBundle)) }
    var known = KnownContext(
      number: number, session: context.sessionId, bundle: bundle, version: context.appVersion,
      erasedBefore: erased?.mark(of: context, launch.owner.owner))
    if isErased(known.session ?? launch.fallback, launch) {
      tally.dropped += 1
      launch.add(.erased(number))
      return .erased(number)
    }
    if let before = known.erasedBefore {
      known.held = HeldContext(
        json: String(decoding: json, as: UTF8.self), received: record.received, position: position, id: id)
      // Those that events carry come with each of them.
      if number >= 0 { addEmpty(number, before, record, id: id, position: position, launch) }
    } else {
      write(context, known, json, received: record.received, position: position, id: id, launch)
      // Those that events carry come with each of them.
      if number >= 0 {
        known.untold = HeldContext(
          json: String(decoding: json, as: UTF8.self), received: record.received, position: position, id: id)
      }
    }
    launch.add(known)
    return known
  }

  /// Something that names a context stays: then what was held back of it is written, once.
  mutating func keep(_ context: KnownContext?, _ launch: inout BatchLaunch) throws {
    guard let context, let held = context.held, !isErased(context.session ?? launch.fallback, launch),
      launch.write(context.number)
    else { return }
    try Array(held.json.utf8).withUnsafeBytes { json in
      let record = try ContextRecord(json: json)
      write(record, context, json, received: held.received, position: held.position, id: held.id, launch)
    }
  }

  /// An event names a context that came in another batch, without anything of its session: then that knows nothing of it yet.
  mutating func tell(_ context: KnownContext?, _ launch: BatchLaunch) {
    guard let context, let untold = context.untold else { return }
    let question = ContextQuestion.numbered(project: launch.project, launch: launch.name, number: context.number)
    // Once in a batch, before what came with it later; and not read again for each of its events.
    guard toldContexts.insert(question).inserted else { return }
    let told = try? Array(untold.json.utf8).withUnsafeBytes { try ContextRecord(json: $0) }
    guard let told else { return }
    let bundle = context.bundle.flatMap { launch.owner.admits($0) ? $0 : nil }
    session(launch.project, context.session ?? launch.fallback) {
      $0.tell(told, bundle: bundle, number: untold.id)
    }
  }

  private mutating func write(
    _ context: ContextRecord, _ known: KnownContext, _ json: UnsafeRawBufferPointer, received: Int64, position: Int64,
    id: Int64, _ launch: BatchLaunch
  ) {
    // What a context without a session says is true of the launch's own session.
    let session = known.session ?? launch.fallback
    let (project, name, dialect) = (launch.project, launch.name, dialect)
    contexts.append(ShardKey.of(project: project, session: session)) { row in
      row.string(project)
      row.string(name)
      row.int(known.number)
      row.string(known.session ?? "")
      row.string(context.userId ?? "")
      row.string(known.version ?? "")
      row.map((context.tags ?? [:]).sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }, dialect)
      row.string(json)
      row.int(received)
      row.day(RecordColumns.day(received, id))
      row.int(position)
      row.string(known.bundle ?? "")
    }
    let told = known.bundle.flatMap { launch.owner.admits($0) ? $0 : nil }
    self.session(project, session) { $0.tell(context, bundle: told, number: id) }
  }

  /// What is left of a context of somebody who was erased: its number, and until when what names it is dropped. Whoever does not remember
  /// it finds that. The one that is written when something is kept counts more.
  private mutating func addEmpty(
    _ number: Int64, _ before: Int64, _ record: LogRecord, id: Int64, position: Int64, _ launch: BatchLaunch
  ) {
    let (project, name, dialect) = (launch.project, launch.name, dialect)
    contexts.append(ShardKey.of(project: project, session: launch.fallback)) { row in
      row.string(project)
      row.string(name)
      row.int(number)
      row.string("")
      row.string("")
      row.string("")
      row.map([], dialect)
      row.string(EmptiedContext(contextId: number, erasedBefore: before).json)
      row.int(record.received - 1)
      row.day(RecordColumns.day(record.received, id))
      row.int(position)
      row.string("")
    }
  }
}

/// What is written of a context in the place of what it says.
struct EmptiedContext: Codable {
  var contextId: Int64
  /// In milliseconds since 1970.
  var erasedBefore: Int64

  var json: String { #"{"contextId":\#(contextId),"erasedBefore":\#(erasedBefore)}"# }
}
