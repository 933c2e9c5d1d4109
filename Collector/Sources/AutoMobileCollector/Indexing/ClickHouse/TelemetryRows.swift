import AutoMobileClickHouse
import AutoMobileJournal
import NIOCore

/// Records of the ingest log as rows of ClickHouse's tables: one batch, from its first delivery to ``finish()``.
///
/// It knows no server. The same deliveries, with the same answers to what they ask, are the same bytes, in whichever process. What has been
/// erased since is left out; all other rows stay the same.
struct TelemetryRows {
  let limits: CollectorLimits
  let dialect: Dialect
  private var projects: ProjectsBelow
  /// What must not come back; nil: nothing is marked.
  let erased: ErasedNames?
  /// What these have said.
  var told = ToldMarks()
  /// Contexts of other batches that this one has told their sessions.
  var toldContexts: Set<ContextQuestion> = []
  private let cache: ContextCache
  private let given: [ContextQuestion: ContextAnswer]
  /// Answers that the rows depend on, which did not come in this batch: those that a repetition has to be given.
  private(set) var used: [ContextQuestion: ContextAnswer] = [:]
  /// The projects that the rows depend on: a repetition has to be given these, and no others.
  var usedProjects: Set<String> { projects.used }
  /// What nobody has answered; the rows are as if there was no such context.
  private(set) var missing: Set<ContextQuestion> = []
  /// The same of the delivery that was added last.
  private(set) var asked: Set<ContextQuestion> = []
  var tally = IndexTally()
  /// Of the records that were added.
  private(set) var numbers: ConfirmedNumbers.Span?

  var events: ShardedRows
  var arrivals: ShardedRows
  var requests: ShardedRows
  var spans: ShardedRows
  var reports: ShardedRows
  var measurements: ShardedRows
  var quarantine: ShardedRows
  var contexts: ShardedRows
  var ledgers: ShardedRows
  var launchParts: ShardedRows
  var launchEnds: ShardedRows
  var summaries: ShardedRows
  var sessionParts: ShardedRows
  var eventCounts: ShardedRows

  var launches: [LaunchName: BatchLaunch] = [:]
  private var launchOrder: [LaunchName] = []
  private var sessions: [SessionName: SessionPart] = [:]
  private var sessionOrder: [SessionName] = []
  /// The words of the event at hand; one allocation for all.
  var words: [UInt8] = []

  struct LaunchName: Hashable {
    var owner: DataOwner
    var launch: LaunchID
  }

  struct SessionName: Hashable, Sendable {
    var project: String
    var session: String
  }

  /// - Parameters:
  ///   - projects: the apps that are projects.
  ///   - cache: contexts of earlier batches.
  ///   - given: answers that have been found, and those of an earlier attempt.
  init(
    _ map: ShardMap, _ dialect: Dialect, limits: CollectorLimits, projects: Set<String> = [],
    cache: ContextCache = ContextCache(), given: [ContextQuestion: ContextAnswer] = [:], erased: ErasedNames? = nil
  ) {
    self.limits = limits
    self.dialect = dialect
    self.projects = ProjectsBelow(projects)
    self.erased = erased
    self.cache = cache
    self.given = given
    func rows(_ table: TelemetryTable) -> ShardedRows { ShardedRows(table, map) }
    events = rows(TelemetryTables.events)
    arrivals = rows(TelemetryTables.arrivals)
    requests = rows(TelemetryTables.requests)
    spans = rows(TelemetryTables.spans)
    reports = rows(TelemetryTables.reports)
    measurements = rows(TelemetryTables.measurements)
    quarantine = rows(TelemetryTables.quarantine)
    contexts = rows(TelemetryTables.contexts)
    ledgers = rows(TelemetryTables.launches)
    launchParts = rows(TelemetryTables.launchParts)
    launchEnds = rows(TelemetryTables.launchEnds)
    summaries = rows(TelemetryTables.summaries)
    sessionParts = rows(TelemetryTables.sessionParts)
    eventCounts = rows(TelemetryTables.eventCounts)
  }

  /// All of them, those first that others are read by.
  var all: [ShardedRows] {
    [
      contexts, ledgers, launchParts, launchEnds, events, requests, spans, reports, measurements, summaries, quarantine,
      eventCounts, sessionParts, arrivals,
    ].filter { !$0.isEmpty }
  }

  // MARK: A delivery

  mutating func add(_ entry: LogReader.Entry) {
    tally.consumed += entry.consumed
    tally.damagedBytes += entry.skipped
    if !add(entry.body, of: entry.owner, receivedAt: entry.receivedAt, number: entry.firstNumber) {
      tally.damagedBytes += entry.consumed
    }
  }

  /// - Parameters:
  ///   - body: header line and records, which were checked before they came into the log.
  ///   - number: of its first record.
  /// - Returns: false when it is no delivery.
  @discardableResult
  mutating func add(_ body: UnsafeRawBufferPointer, of owner: DataOwner?, receivedAt: Int64, number: Int64) -> Bool {
    if !asked.isEmpty { asked = [] }
    guard let (header, start) = try? BatchHeader.split(body) else { return false }
    let name = LaunchName(owner: owner ?? .app(header.bundleId), launch: header.launchId)
    var launch = take(name)
    launch.bundle = launch.owner.bundle(header.bundleId) ?? launch.bundle
    launch.sdk = header.sdkVersion ?? launch.sdk
    if let ledger = header.ledger {
      BatchLaunch.write(ledger, header, launch, received: receivedAt, to: &ledgers)
    }
    var id = number
    let bundle = launch.owner.bundle(header.bundleId)
    LogRecord.each(of: body, from: start, header, received: receivedAt, bundleId: bundle) { record in
      add(record, id: id, &launch)
      id += FrameNumbers.step
    }
    launch.endStretches(&eventCounts)
    let span = ConfirmedNumbers.Span(least: number, greatest: max(number, id - FrameNumbers.step))
    if numbers == nil { numbers = span } else { numbers?.add(span) }
    // A launch of which nothing but its ledger comes is one, too.
    if launch.parts.isEmpty { launch.part(of: "", id: number, received: receivedAt) { _ in } }
    launches[name] = launch
    return true
  }

  mutating func take(_ name: LaunchName) -> BatchLaunch {
    // Taken out, so that it is changed where it is.
    if let known = launches.removeValue(forKey: name) { return known }
    launchOrder.append(name)
    let projects = projects.of(name.owner)
    return BatchLaunch(name.launch, owner: IndexCaches.Owner(row: 0, owner: name.owner, projects: projects))
  }

  private mutating func add(_ record: LogRecord, id: Int64, _ launch: inout BatchLaunch) {
    do {
      switch record.kind {
      case .event, .eventAndBreadcrumb: try addEvent(record, id: id, &launch)
      case .context: try addContext(record, id: id, &launch)
      case .breadcrumb: try addBreadcrumb(record, id: id, &launch)
      default: break
      }
    } catch is ErasedRecord {
      tally.dropped += 1
    } catch {
      quarantine(record, id: id, launch, reason: "\(error)")
    }
  }

  mutating func quarantine(_ record: LogRecord, id: Int64, _ launch: BatchLaunch, reason: String) {
    tally.quarantined += 1
    let columns = RecordColumns(
      shard: ShardKey.of(project: launch.project, session: launch.name), project: launch.project, session: "",
      launch: launch.name, position: record.sequence, id: id, timestamp: record.received, received: record.received)
    quarantine.append(columns.shard) { row in
      columns.write(&row)
      row.int(UInt8(truncatingIfNeeded: record.kind.rawValue))
      row.string(String(reason.prefix(1000)))
      row.int(Int64(record.payload.count))
      // Enough to see what it was.
      row.string(UnsafeRawBufferPointer(rebasing: record.payload.prefix(16 << 10)))
    }
  }

  // MARK: Contexts

  /// One that came in another batch.
  mutating func known(_ question: ContextQuestion) -> KnownContext? {
    if let erased = erasedContext(question) { return erased }
    if let answer = used[question] ?? given[question] ?? cache.answer(question) {
      used[question] = answer
      return answer.context
    }
    missing.insert(question)
    asked.insert(question)
    return nil
  }

  /// Contexts that came in this batch, or were looked up for it, for the next ones.
  func remember(in cache: inout ContextCache) {
    for (question, answer) in used {
      guard var context = answer.context else { continue }
      if context.untold != nil, isTold(context, question) {
        context.untold = nil
      } else if self.cache.answer(question) != nil {
        continue
      }
      switch question {
      case .numbered(let project, let launch, _): cache.add(context, at: nil, project: project, launch: launch)
      case .current(let project, let launch, let position):
        cache.add(context, at: position - 1, project: project, launch: launch)
      }
    }
    for name in launchOrder {
      guard let launch = launches[name] else { continue }
      for (position, number) in launch.records {
        guard var context = launch.contexts[number] else { continue }
        if isThere(launch.project, context.session ?? launch.fallback) { context.untold = nil }
        cache.add(context, at: position, project: launch.project, launch: launch.name)
      }
      for number in launch.written { cache.wrote(number, project: launch.project, launch: launch.name) }
    }
  }

  private func isTold(_ context: KnownContext, _ question: ContextQuestion) -> Bool {
    switch question {
    case .numbered(let project, let launch, _), .current(let project, let launch, _):
      isThere(project, context.session ?? "launch:\(launch)")
    }
  }

  /// Whether this batch has something of a session, and so what was told of it.
  private func isThere(_ project: String, _ session: String) -> Bool {
    sessions[SessionName(project: project, session: session)]?.isThere == true
  }

  // MARK: Sums

  mutating func session(_ project: String, _ name: String, _ change: (inout SessionPart) -> Void) {
    let key = SessionName(project: project, session: name)
    if let index = sessions.index(forKey: key) {
      change(&sessions.values[index])
      return
    }
    var part = SessionPart(shard: ShardKey.of(project: project, session: name))
    sessionOrder.append(key)
    change(&part)
    sessions[key] = part
  }

  /// Writes what has been summed up. Nothing may be added afterwards.
  mutating func finish() {
    for name in sessionOrder {
      guard let part = sessions[name], part.isThere else { continue }
      part.write(name.project, name.session, to: &sessionParts)
    }
    for name in launchOrder {
      guard var launch = launches[name] else { continue }
      launch.endStretches(&eventCounts)
      for part in launch.parts {
        part.write(launch.project, launch.name, bundle: launch.bundle, sdk: launch.sdk, to: &launchParts)
      }
    }
  }
}
