import AutoMobileClickHouse
import AutoMobileJournal

/// The rows by which requests, spans, reports, measurements and summaries are found.
extension TelemetryRows {
  mutating func addRows(
    of event: IndexedEvent, _ columns: RecordColumns, _ context: KnownContext?, _ record: LogRecord,
    _ launch: BatchLaunch
  ) {
    switch event.name {
    case "network_request": addRequest(columns, event.payload, CountedApp(context, record, launch))
    case "span": addSpan(columns, event.payload)
    case "lifecycle": addEnd(columns, event.payload)
    case "custom" where event.isMeasured:
      add(Measurement(custom: event.payload), columns, CountedApp(context, record, launch))
    case "interaction" where event.isMeasured:
      add(Measurement(interaction: event.payload), columns, CountedApp(context, record, launch))
    case "crash", "hang", "handled_exception": addReport(event, columns, context, record, launch)
    default: break
    }
  }

  private mutating func addRequest(_ columns: RecordColumns, _ payload: UnsafeRawBufferPointer, _ app: CountedApp) {
    guard let fields = try? NetworkFields(payload, maximumDepth: limits.jsonDepth) else { return }
    let address = RequestAddress(url: fields.url)
    let place = fields.place
    requests.append(columns.shard) { row in
      columns.write(&row)
      row.string(fields.method)
      row.string(address.host)
      row.string(address.pattern)
      row.string(address.path)
      row.nullable(address.query)
      row.nullable(fields.status)
      row.nullable(fields.duration)
      row.nullable(fields.sent)
      row.nullable(fields.received)
      row.bool(fields.outcome.hasFailed)
      row.nullable(fields.error)
      row.nullable(fields.tracer)
      row.nullable(fields.mock)
      row.nullable(fields.operation)
      row.string(place?.trace.text ?? "")
      row.nullable(place?.span)
      row.nullable(place?.parent)
      app.write(&row)
    }
  }

  private mutating func addSpan(_ columns: RecordColumns, _ payload: UnsafeRawBufferPointer) {
    guard let fields = try? SpanFields(payload, maximumDepth: limits.jsonDepth), let (trace, span) = fields.identity
    else { return }
    spans.append(columns.shard) { row in
      columns.write(&row)
      row.string(trace.text)
      row.int(span)
      row.nullable(fields.parent)
      row.nullable(fields.duration)
      row.string(fields.name)
      row.string(fields.kind ?? "")
      row.string(fields.status ?? "")
      row.nullable(fields.message)
    }
  }

  private mutating func addReport(
    _ event: IndexedEvent, _ columns: RecordColumns, _ context: KnownContext?, _ record: LogRecord,
    _ launch: BatchLaunch
  ) {
    guard
      let fields = ReportFields(
        event.payload, type: event.name, context: (context?.bundle, context?.version), bundleId: record.bundleId,
        owner: launch.owner)
    else { return }
    tally.reports += 1
    let functions = String(
      ReportFields.functions(fields.report).joined(separator: "\n").prefix(ReportFields.longestText))
    reports.append(columns.shard) { row in
      columns.write(&row)
      row.string(fields.fingerprint.name)
      row.string(fields.report.kind.rawValue)
      row.nullable(fields.version)
      row.nullable(fields.duration) { $0.double($1) }
      row.nullable(fields.screen)
      row.string(fields.report.cause)
      row.nullable(fields.culprit)
      row.nullable(fields.message)
      row.nullable(fields.fingerprint.culprit?.file)
      row.nullable(fields.fingerprint.culprit?.line.map { Int64($0) })
      row.nullable(fields.template)
      row.string(fields.bundleId ?? "")
      row.array(fields.fingerprint.images.map(\.text).sorted()) { $0.string($1) }
      row.string(functions)
      // Nobody has looked at it.
      row.int(0 as Int64)
      row.int(0 as Int64)
    }
  }

  private mutating func add(_ measurement: Measurement?, _ columns: RecordColumns, _ app: CountedApp) {
    guard let measurement else { return }
    let row = MeasurementRow(measurement)
    measurements.append(columns.shard) {
      columns.write(&$0)
      row.write(&$0, app)
    }
  }

  /// What ended a launch: on that one's shard.
  private mutating func addEnd(_ columns: RecordColumns, _ payload: UnsafeRawBufferPointer) {
    guard let end = ToldEnd(payload) else { return }
    launchEnds.append(ShardKey.of(project: columns.project, session: end.launch)) { row in
      row.string(columns.project)
      row.string(end.launch)
      row.int(columns.id)
      row.string(end.verdict)
      row.string(end.evidence)
      row.nullable(end.lastSeen)
      row.string(end.appVersion ?? "")
      row.nullable(end.memory?.used)
      row.nullable(end.memory?.limit)
      row.int(columns.received)
      row.day(columns.day)
    }
  }

  // MARK: Summaries

  mutating func add(
    _ summary: SessionSummary, _ columns: RecordColumns, _ event: IndexedEvent, _ context: KnownContext?,
    _ record: LogRecord, _ launch: BatchLaunch
  ) {
    let app = CountedApp(context, record, launch)
    let about = event.earlier.flatMap { LaunchID($0)?.description } ?? launch.name
    summaries.append(columns.shard) { row in
      columns.write(&row)
      row.string(about)
      row.int(summary.revision)
      row.nullable(nil as Int64?)
      row.int(summary.startedAt)
      row.int(summary.endedAt)
      row.bool(summary.isFinal)
      row.nullable(summary.end)
      row.int(record.told(at: event.timestamp))
      row.int(summary.events)
      row.string(SessionSummary.json(summary.counts))
      row.string(SessionSummary.json(summary.screens))
      row.int(summary.screenVisits)
      row.nullable(summary.launchTime)
      row.string(summary.launchKind)
      row.int(summary.slowFrames)
      row.int(summary.frozenFrames)
      row.string(SessionSummary.json(summary.requests))
      row.int(summary.errors)
      row.int(summary.failures)
      row.int(summary.allCrashes)
      Self.write(summary.kept, &row)
      row.nullable(summary.memoryPeak)
      row.nullable(summary.memoryLeft)
      row.int(summary.memoryWarnings)
      app.write(&row)
    }
  }

  /// Of which launch it speaks, the summary says that it shares everything else with.
  mutating func add(
    _ end: SummaryEnd, _ columns: RecordColumns, _ event: IndexedEvent, _ context: KnownContext?,
    _ record: LogRecord, _ launch: BatchLaunch
  ) {
    let app = CountedApp(context, record, launch)
    summaries.append(columns.shard) { row in
      columns.write(&row)
      row.string(launch.name)
      row.int(end.revision)
      row.nullable(end.sameAs)
      row.int(0 as Int64)
      row.int(0 as Int64)
      row.bool(true)
      row.nullable(end.end)
      row.int(record.told(at: event.timestamp))
      row.int(0 as Int64)
      row.string("{}")
      row.string("[]")
      row.int(0 as Int64)
      row.nullable(nil as Int64?)
      row.string("")
      row.int(0 as Int64)
      row.int(0 as Int64)
      row.string("{}")
      for _ in 0..<3 { row.int(0 as Int64) }
      Self.write(end.kept, &row)
      row.nullable(nil as Int64?)
      row.nullable(nil as Int64?)
      row.int(0 as Int64)
      app.write(&row)
    }
  }

  private static func write(_ kept: SessionSummary.Kept, _ row: inout RowBinaryWriter) {
    row.int(kept.events)
    row.int(kept.bytes)
    row.nullable(kept.until)
  }
}

/// The app and the version in whose sums something counts.
struct CountedApp {
  var bundle: String
  var version: String

  init(_ context: KnownContext?, _ record: LogRecord, _ launch: BatchLaunch) {
    bundle = String((launch.owner.countedBundle(context?.bundle, record.bundleId) ?? "").prefix(200))
    version = String((context?.version ?? "").prefix(100))
  }

  func write(_ row: inout RowBinaryWriter) {
    row.string(bundle)
    row.string(version)
  }
}

/// A measurement as its table has it.
private struct MeasurementRow {
  var kind: String
  var name = ""
  var total: Int64 = 0
  var part: Int64?
  var frames: Int64 = 0
  var slow: Int64 = 0
  var frozen: Int64 = 0
  var worst: Int64 = 0
  var element = ""

  init(_ measurement: Measurement) {
    switch measurement {
    case .launch(let kind, let total, let beforeMain):
      self.kind = "launch"
      (name, self.total, part) = (kind, total, beforeMain)
    case .frames(let told):
      kind = told.isSecond ? "second" : "frames"
      (name, total, frames) = (told.screen, told.duration, told.frames)
      (slow, frozen, worst) = (told.slow, told.frozen, told.worst)
    case .tap(let kind, let screen, let element):
      self.kind = kind
      (name, self.element) = (screen ?? "", element)
    }
  }

  func write(_ row: inout RowBinaryWriter, _ app: CountedApp) {
    row.string(kind)
    row.string(app.version)
    row.string(name)
    row.int(total)
    row.nullable(part)
    row.int(frames)
    row.int(slow)
    row.int(frozen)
    row.int(worst)
    row.string(app.bundle)
    row.string(element)
  }
}
