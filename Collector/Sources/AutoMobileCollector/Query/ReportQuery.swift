/// Reads one report, and what was on the timeline before it.
struct ReportQuery: Sendable {
  let events: any EventReading
  let symbolizer: Symbolizer
  let sources: FrameSources
  /// Events that are shown before a crash; fewer when they are large.
  static let before = 60

  struct Loaded: Sendable {
    var row: EventRow
    var event: EventReport
    /// The newest last.
    var before: [EventRow]

    var context: ReportContext {
      ReportContext(
        incident: event.report.id ?? "\(row.launchId).\(row.sequence)", sessionId: row.sessionId, launchId: row.launchId
      )
    }
  }

  /// The report of an event, symbolicated.
  ///
  /// - Throws: ``APIError`` when there is no such event, when it is none that has a report, or when too much is waiting.
  func load(_ scope: ReadScope, _ id: Int64) async throws -> Loaded {
    guard let (row, app) = try await events.event(scope, id) else {
      throw APIError.noEvent(id)
    }
    guard EventReport.Kind(eventType: row.eventType) != nil else {
      throw APIError(
        .notFound, "no_report", "a \(row.eventType) event has no report: crashes, hangs and handled exceptions have")
    }
    var event: EventReport
    do {
      event = try row.payload.withUnsafeBytes { try EventReport(payload: $0, type: row.eventType) }
    } catch {
      throw APIError(.unprocessableContent, "unreadable_report", "the report cannot be read: \(error)")
    }
    let context = row.context.flatMap { $0.withUnsafeBytes { try? ContextRecord(json: $0) } }
    event.timestamp = row.timestamp
    event.bundleId = event.bundleId ?? context?.bundleId
    event.appVersion = event.appVersion ?? context?.appVersion
    event.deviceModel = event.deviceModel ?? context?.device?["model"]
    event.osVersion = event.osVersion ?? context?.device?["osVersion"]
    event.systemName = event.systemName ?? context?.device?["systemName"]
    do {
      event.report = try await symbolizer.symbolicate(event.report)
    } catch is Symbolizer.Busy {
      throw APIError.busy("too many reports are being symbolicated right now: try again")
    }
    // Sources are kept by build, whoever's it is; and an app may say that it is any build.
    await sources.add(
      to: &event.report, app: app, commit: context?.tags?["commit"], hasLines: scope.seesEverything)
    // In the launch that the report speaks of, which is not the one that delivered it; else in the event's session.
    let launch = event.report.id.flatMap(SymbolID.init)?.formatted
    let before = try await events.before(scope, row, launch: launch, limit: Self.before)
    return Loaded(row: row, event: event, before: before)
  }
}
