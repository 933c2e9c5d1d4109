import AutoMobileClickHouse
import AutoMobileJournal

/// Events and breadcrumbs.
extension TelemetryRows {
  mutating func addEvent(_ record: LogRecord, id: Int64, _ launch: inout BatchLaunch) throws {
    let event = try IndexedEvent(record.payload, limits: limits, words: &words, collecting: true)
    let summary = event.summary
    let ending = event.name == EventTypes.summary && summary == nil ? SummaryEnd(record.payload) : nil
    let (session, number, context) = try place(event, record, id: id, &launch, summary != nil, ending != nil)
    // What is told of a session afterwards says when that was; one that cannot be read says nothing that could keep it.
    let isTold = event.name == EventTypes.summary
    let began = isTold ? min(event.timestamp, summary?.startedAt ?? .min) : event.timestamp
    try checkErased(session, context, at: began, launch)
    try keep(context, &launch)
    let columns = columns(session, launch, record, id: id, timestamp: event.timestamp)
    let outline = event.outline
    write(
      columns, type: event.name, severity: outline.severity, duration: outline.duration, origin: outline.origin,
      context: number, record.payload)
    let failure =
      outline.severity >= 4
      ? KeptFailure(columns, type: event.name, record.payload, maximumDepth: limits.jsonDepth) : nil
    launch.count(columns, type: event.name, failure, to: &eventCounts)
    tally.stored += 1
    sum(event, columns, summary, ending, record, &launch)
    addRows(of: event, columns, context, record, launch)
    if let summary {
      add(summary, columns, event, context, record, launch)
    } else if let ending {
      add(ending, columns, event, context, record, launch)
    }
  }

  /// The session and the context that an event belongs to.
  private mutating func place(
    _ event: IndexedEvent, _ record: LogRecord, id: Int64, _ launch: inout BatchLaunch, _ isSummary: Bool,
    _ isEnd: Bool
  ) throws -> (session: String, number: Int64?, context: KnownContext?) {
    var number: Int64?
    var context: KnownContext?
    // A raw event names a context record; an expanded one carries the context itself.
    if let named = event.fields.contextId {
      number = named
      let question = ContextQuestion.numbered(project: launch.project, launch: launch.name, number: named)
      context = launch.contexts[named]
      if context == nil {
        context = known(question)
        tell(context, launch)
      }
    } else if let json = event.context {
      let own = ContextNumber.embedded(json)
      number = own
      context = try launch.contexts[own] ?? remember(own, json, record, id: id, position: -1, &launch)
    }
    let said = event.fields.sessionId.map { event.scanner.decode($0) }
    if isEnd {
      // Nobody makes a session up for the sake of its end.
      guard let session = event.summarised ?? said else { throw ErasedRecord() }
      return (session, number, context)
    }
    if isSummary, let session = event.summarised { return (session, number, context) }
    return (said ?? context?.session ?? launch.fallback, number, context)
  }

  private func columns(
    _ session: String, _ launch: BatchLaunch, _ record: LogRecord, id: Int64, timestamp: Int64
  ) -> RecordColumns {
    RecordColumns(
      shard: ShardKey.of(project: launch.project, session: session), project: launch.project, session: session,
      launch: launch.name, position: record.sequence, id: id, timestamp: timestamp, received: record.received)
  }

  private mutating func write(
    _ columns: RecordColumns, type: String, severity: Int64, duration: Int64?, origin: Int64, context: Int64?,
    _ payload: UnsafeRawBufferPointer
  ) {
    let words = WordColumn.text(of: words)
    events.append(columns.shard) { row in
      columns.write(&row)
      row.string(type)
      row.int(UInt8(clamping: severity))
      row.nullable(duration)
      row.int(origin)
      row.nullable(context)
      row.string(words)
      row.string(payload)
    }
    arrivals.append(columns.shard) { row in
      columns.write(&row)
      row.string(type)
    }
  }

  /// What an event adds to its session and its launch.
  private mutating func sum(
    _ event: IndexedEvent, _ columns: RecordColumns, _ summary: SessionSummary?, _ ending: SummaryEnd?,
    _ record: LogRecord, _ launch: inout BatchLaunch
  ) {
    let (timestamp, isSummary) = (event.timestamp, event.name == EventTypes.summary)
    let isOwn = event.earlier == nil
    // The one that tells of it is not one of that session's.
    let launchName = event.earlier.flatMap { LaunchID($0)?.description } ?? launch.name
    let name = launch.name
    if ending == nil {
      let destination = event.fields.destination.map { event.scanner.decode($0) }
      session(columns.project, columns.session) { part in
        part.add(
          type: event.name, from: summary?.startedAt ?? timestamp, to: summary?.endedAt ?? timestamp,
          received: record.received, launch: launchName)
        for screen in summary?.screens ?? [] { part.add(screen: screen) }
        if !isSummary, event.isError { part.fail() }
        if let bundle = record.bundleId { part.tell(nil, bundle: bundle, number: columns.id) }
        if let destination { part.visit(destination, at: timestamp) }
      }
    }
    guard isOwn || launchName == name else {
      let other = LaunchPart(session: columns.session, id: columns.id, received: record.received)
      other.write(columns.project, launchName, bundle: nil, sdk: nil, to: &launchParts)
      return launch.part(of: "", id: columns.id, received: record.received) { _ in }
    }
    launch.part(of: columns.session, id: columns.id, received: record.received) {
      $0.add(timestamp, isEvent: !isSummary)
    }
  }

  /// - Parameter placed: the context that was found for it when it came, or that there was none; nil: it is looked for.
  mutating func addBreadcrumb(
    _ record: LogRecord, id: Int64, _ launch: inout BatchLaunch, of placed: KnownContext?? = nil
  ) throws {
    var scanner = JSONScanner(record.payload, maximumDepth: limits.jsonDepth)
    scanner.collected = []
    let timestamp = try BreadcrumbFields(&scanner).timestamp
    words = scanner.collected ?? []
    let question = ContextQuestion.current(project: launch.project, launch: launch.name, before: record.sequence)
    var context = placed ?? launch.current(before: record.sequence)
    if context == nil, placed == nil {
      context = known(question)
      tell(context, launch)
    }
    try checkErased(context?.session ?? launch.fallback, context, at: timestamp, launch)
    try keep(context, &launch)
    let columns = columns(context?.session ?? launch.fallback, launch, record, id: id, timestamp: timestamp)
    write(
      columns, type: EventTypes.breadcrumb, severity: 2, duration: nil, origin: 0, context: context?.number,
      record.payload)
    launch.count(columns, type: EventTypes.breadcrumb, to: &eventCounts)
    let name = launch.name
    session(columns.project, columns.session) {
      $0.add(type: EventTypes.breadcrumb, from: timestamp, to: timestamp, received: record.received, launch: name)
    }
    launch.part(of: columns.session, id: id, received: record.received) { _ in }
  }
}
