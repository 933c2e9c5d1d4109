import Foundation
import GRDB

/// Reads one report, and what was on the timeline before it.
struct ReportQuery: Sendable {
  let store: EventStore
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
    let (row, app) = try await store.read(scope) { database -> (EventRow?, String?) in
      let row = try EventRow.fetchOne(database, sql: EventRow.select + " WHERE event.id = ?", arguments: [id])
      // As the session is counted: a report may call itself anything.
      let app = try row.flatMap {
        try String.fetchOne(
          database, sql: "SELECT bundleId FROM session WHERE sessionId = ?", arguments: [$0.sessionId])
      }
      return (row, app)
    }
    guard let row else { throw APIError(.notFound, "no_event", "no event with number \(id)") }
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
    sources.add(to: &event.report, app: app, commit: context?.tags?["commit"], hasLines: scope.seesEverything)
    return Loaded(row: row, event: event, before: try await before(scope, row, event))
  }

  /// In the launch that the report speaks of, which is not the one that delivered it; else in the event's session.
  private func before(_ scope: ReadScope, _ row: EventRow, _ event: EventReport) async throws -> [EventRow] {
    let launch = event.report.id.flatMap(SymbolID.init)?.formatted
    let bytes = store.limits.pageBytes
    let end = EventOrder.cursor(row)
    return try await store.read(scope) { database in
      var ids: [Int64] = []
      if let launch,
        let id = try Int64.fetchOne(database, sql: "SELECT id FROM launch WHERE launchId = ?", arguments: [launch])
      {
        // In the order of time: a request is recorded at its end and began before what was recorded meanwhile. The last
        // ones that were recorded hold the last ones that happened; all of a long launch would be too many to sort.
        ids = try Int64.fetchAll(
          database,
          sql: """
            SELECT id FROM (SELECT id, timestamp, \(EventOrder.tie) AS tie FROM event
              WHERE launch = ? AND (timestamp, \(EventOrder.tie)) < (?, ?) ORDER BY sequence DESC LIMIT ?)
            ORDER BY timestamp DESC, tie DESC LIMIT ?
            """, arguments: [id, end.key, end.id, 8 * Self.before, Self.before])
      }
      if ids.isEmpty {
        ids = try Int64.fetchAll(
          database,
          sql: """
            SELECT id FROM event WHERE session = (SELECT id FROM session WHERE sessionId = ?)
              AND (timestamp, \(EventOrder.tie)) < (?, ?) ORDER BY timestamp DESC, \(EventOrder.tie) DESC LIMIT ?
            """, arguments: [row.sessionId, end.key, end.id, Self.before])
      }
      let find = try database.cachedStatement(sql: EventRow.select + " WHERE event.id = ?")
      return try Page.fetch(ids, bytes: bytes) { try EventRow.fetchOne(find, arguments: [$0]) }.rows.reversed()
    }
  }
}
