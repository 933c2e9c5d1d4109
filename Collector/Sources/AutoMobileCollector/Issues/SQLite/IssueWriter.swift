import Foundation
import GRDB

/// Puts reports into issues, inside a transaction of the caller's.
struct IssueWriter {
  /// An event that was just indexed, or is looked at again.
  struct Event {
    var id: Int64
    var session: Int64
    var timestamp: Int64
    var type: String
    /// The context's JSON.
    var context: Data?
    var owner = IndexCaches.Owner.unknown
    var bundleId: String?
  }

  private let database: Database

  init(_ database: Database) { self.database = database }

  /// Adds an event that is in no issue yet. Other types than those of reports are passed over.
  func add(_ event: Event, _ payload: UnsafeRawBufferPointer) throws {
    let context = event.context.flatMap { $0.withUnsafeBytes { try? ContextRecord(json: $0) } }
    guard
      let fields = ReportFields(
        payload, type: event.type, context: (context?.bundleId, context?.appVersion), bundleId: event.bundleId,
        owner: event.owner)
    else { return }
    let (report, fingerprint, version) = (fields.report, fields.fingerprint, fields.version)
    guard let (issue, name) = try issue(fingerprint, report, bundleId: fields.bundleId) else { return }
    let counted = Counted(
      event: event.id, session: event.session, timestamp: event.timestamp, version: version,
      duration: fields.duration, fingerprint: name, screen: fields.screen)
    try count(counted, in: issue)
    try IssueStates.reopen(issue, timestamp: event.timestamp, version: version, in: database)
    try describe(issue, event.id, event.timestamp, report, fingerprint, reportName: name)
    for build in fields.images {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO report_image VALUES (?, ?)")
        .execute(arguments: [build, event.id])
    }
  }

  /// Puts an event that has been symbolicated into the issue where it belongs now, and says there what is known.
  func refine(_ event: Int64, _ report: EventReport) throws {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT issue, session, timestamp, version, bundleId, duration, screen, fingerprint
          FROM issue_event JOIN issue ON issue.id = issue WHERE event = ?
          """, arguments: [event])
    else { return }
    let bundleId: String? = row[4]
    let before: Int64 = row[0]
    let timestamp: Int64 = row[2]
    let fingerprint = Fingerprint(report, bundleId: bundleId)
    try IssueMerges.follow(row[7], to: fingerprint.name, in: database)
    guard let (issue, name) = try issue(fingerprint, report, bundleId: bundleId) else { return }
    if issue != before {
      try IssueMerges.inherit(from: before, to: issue, in: database)
      try uncount(event, from: before)
      let counted = Counted(
        event: event, session: row[1], timestamp: timestamp, version: row[3], duration: row[5], fingerprint: name,
        screen: row[6])
      try count(counted, in: issue)
      // What came back may be known by its symbols alone.
      try IssueStates.reopen(issue, timestamp: timestamp, version: row[3], in: database)
    } else if row[7] != name {
      try database.execute(sql: "UPDATE issue_event SET fingerprint = ? WHERE event = ?", arguments: [name, event])
    }
    try describe(issue, event, timestamp, report, fingerprint, reportName: name)
  }

  // MARK: Rows

  /// Its row, and what the report's own would be called when nobody had merged it into another one.
  private func issue(
    _ fingerprint: Fingerprint, _ report: EventReport, bundleId: String?
  ) throws -> (row: Int64, name: String)? {
    // The fingerprint is no cryptographic one: what another app made to look like this one's is an issue of its own.
    for name in [fingerprint.name, Fingerprint.marked(fingerprint.name, bundleId: bundleId)] {
      if let target = try IssueMerges.target(of: name, bundleId: bundleId, in: database) { return (target, name) }
      try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO issue(name, kind, bundleId, cause) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [name, report.kind.rawValue, bundleId, report.cause])
      let id = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM issue WHERE name = ? AND bundleId IS ?"),
        arguments: [name, bundleId])
      if let id { return (id, name) }
    }
    return nil
  }

  /// A row of `issue_event`.
  private struct Counted {
    var event: Int64
    var session: Int64
    var timestamp: Int64
    var version: String?
    /// Of a hang, in milliseconds.
    var duration: Double?
    var fingerprint: String?
    var screen: String?
  }

  private func count(_ counted: Counted, in issue: Int64) throws {
    let timestamp = counted.timestamp
    try database.cachedStatement(
      sql: """
        INSERT INTO issue_event(event, issue, session, timestamp, version, duration, fingerprint, screen)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      counted.event, issue, counted.session, timestamp, counted.version, counted.duration, counted.fingerprint,
      counted.screen,
    ])
    try database.cachedStatement(
      sql: """
        UPDATE issue SET events = events + 1,
          first = MIN(IFNULL(first, ?1), ?1), last = MAX(IFNULL(last, ?1), ?1) WHERE id = ?2
        """
    ).execute(arguments: [timestamp, issue])
    try sum("issue_session(issue, session, n)", issue, counted.session)
    if let version = counted.version { try sum("issue_version(issue, version, n)", issue, version) }
    try sum("issue_hour(issue, hour, n)", issue, IssueHours.hour(timestamp))
  }

  private func sum(_ table: String, _ issue: Int64, _ key: any DatabaseValueConvertible) throws {
    try database.cachedStatement(
      sql: "INSERT INTO \(table) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1"
    ).execute(arguments: [issue, key])
  }

  /// Takes an event that is being deleted out of its issue. When the issue was first seen is still known afterwards.
  func remove(_ event: Int64) throws {
    let issue = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT issue FROM issue_event WHERE event = ?"), arguments: [event])
    try database.cachedStatement(sql: "DELETE FROM report_image WHERE event = ?").execute(arguments: [event])
    if let issue { try uncount(event, from: issue, keepsFirst: true) }
  }

  private func uncount(_ event: Int64, from issue: Int64, keepsFirst: Bool = false) throws {
    guard
      let row = try Row.fetchOne(
        database, sql: "DELETE FROM issue_event WHERE event = ? RETURNING session, timestamp, version",
        arguments: [event])
    else { return }
    let (session, timestamp, version): (Int64, Int64, String?) = (row[0], row[1], row[2])
    try subtract("issue_session", "session", issue, session)
    if let version { try subtract("issue_version", "version", issue, version) }
    try subtract("issue_hour", "hour", issue, IssueHours.hour(timestamp))
    try database.execute(
      sql: """
        UPDATE issue SET events = events - 1,
          first = CASE WHEN ?3 THEN first ELSE (SELECT MIN(timestamp) FROM issue_event WHERE issue = ?1) END,
          last = (SELECT MAX(timestamp) FROM issue_event WHERE issue = ?1),
          sample = CASE WHEN sample = ?2
            THEN (SELECT event FROM issue_event WHERE issue = ?1 ORDER BY timestamp DESC LIMIT 1) ELSE sample END
        WHERE id = ?1
        """, arguments: [issue, event, keepsFirst])
    try database.execute(sql: "DELETE FROM issue WHERE id = ? AND events = 0", arguments: [issue])
    try IssueSearchText.removeIfGone(issue, in: database)
  }

  private func subtract(_ table: String, _ column: String, _ issue: Int64, _ key: any DatabaseValueConvertible) throws {
    try database.execute(
      sql: "UPDATE \(table) SET n = n - 1 WHERE issue = ? AND \(column) = ?", arguments: [issue, key])
    try database.execute(
      sql: "DELETE FROM \(table) WHERE issue = ? AND \(column) = ? AND n <= 0", arguments: [issue, key])
  }

  /// The newest report is the one that describes the issue; of those that were merged into it, none.
  private func describe(
    _ issue: Int64, _ event: Int64, _ timestamp: Int64, _ report: EventReport, _ fingerprint: Fingerprint,
    reportName: String
  ) throws {
    try IssueSearchText.addMessage(issue, report, in: database)
    let culprit = fingerprint.culprit
    let name = ReportFields.name(of: culprit)
    try database.cachedStatement(
      sql: """
        UPDATE issue SET sample = ?1, cause = ?3, culprit = ?4, message = ?5, file = ?6, line = ?7, template = ?10,
          longest = MAX(IFNULL(longest, ?8), IFNULL(?8, longest))
        WHERE id = ?2 AND (sample IS NULL OR (sample = ?1 OR last <= ?9) AND (name = ?11 OR events = 1))
        """
    ).execute(arguments: [
      event, issue, report.cause, name, IssueText.message(of: report), culprit?.file, culprit?.line,
      report.kind == .hang ? report.report.durationMs : nil, timestamp, MessageTemplate.make(report.said),
      reportName,
    ])
    if database.changesCount > 0 {
      try IssueSearchText.setFunctions(issue, report, in: database)
    } else if try IssueMerges.isPart(reportName, in: database) {
      try IssueSearchText.joinFunctions(issue, report, in: database)
    }
    if report.kind == .hang, let duration = report.report.durationMs {
      try database.cachedStatement(sql: "UPDATE issue SET longest = MAX(IFNULL(longest, ?1), ?1) WHERE id = ?2")
        .execute(arguments: [duration, issue])
    }
  }

  /// Has an issue say what its newest report says and nothing else: others of it have been erased. What symbols know of it is added
  /// by the ``IssueRefiner``.
  func describeAnew(_ issue: Int64, _ payload: Data?, type: String?) throws {
    let report = payload.flatMap { payload -> EventReport? in
      guard var report = payload.withUnsafeBytes({ try? EventReport(payload: $0, type: type) }) else { return nil }
      FrameRules.mark(&report.report)
      return report
    }
    let culprit = report.flatMap { Fingerprint($0, bundleId: nil).culprit }
    let name = ReportFields.name(of: culprit)
    try database.execute(
      sql: """
        UPDATE issue SET cause = IFNULL(?2, cause), culprit = ?3, message = ?4, file = ?5, line = ?6, template = ?7,
          first = (SELECT MIN(timestamp) FROM issue_event WHERE issue = ?1),
          longest = (SELECT MAX(duration) FROM issue_event WHERE issue = ?1)
        WHERE id = ?1
        """,
      arguments: [
        issue, report?.cause, name, report.flatMap { IssueText.message(of: $0) }, culprit?.file, culprit?.line,
        report.flatMap { MessageTemplate.make($0.said) },
      ])
    try IssueSearchText.lookAgain(issue, in: database)
  }
}
