import Foundation
import GRDB

/// Reads issues out of the index.
struct IssueQuery: Sendable {
  struct Filter: Sendable {
    var kinds: [String] = []
    var version: String?
    var bundleId: String?
    var query = SearchQuery(everythingIn: .issues)
    /// nil: whatever people decided.
    var status: IssueStatus?
    /// Only those that came back after they were resolved.
    var regressed = false
    var order = Order.last

    /// Of all issues the first few, in an order that is kept.
    var isCheap: Bool { query.isEmpty && version == nil && order != .sessions }
  }

  enum Order: String, Sendable, CaseIterable {
    case last, first, count, sessions

    /// What sorts, always downwards.
    fileprivate var key: String {
      switch self {
      case .last: "issue.last"
      case .first: "issue.first"
      case .count: "issue.events"
      case .sessions: "(SELECT COUNT(*) FROM issue_session WHERE issue_session.issue = issue.id)"
      }
    }
  }

  let store: EventStore
  /// How many buckets a trend has, the last one being the present.
  static let days = 14
  static let hours = 24

  /// Issues in the order that the filter wants, the newest or the most frequent first.
  func list(
    _ scope: ReadScope, _ filter: Filter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<IssueRow> {
    try await store.read(scope, filter.isCheap ? .light : .heavy) { database in
      // Found and sorted by their numbers alone, and read one by one as far as there is room.
      var sql = "SELECT issue.id FROM issue\(IssueRow.states) WHERE issue.events > 0"
      var arguments: StatementArguments = []
      if let before {
        sql += " AND (\(filter.order.key), issue.id) < (?, ?)"
        arguments += [before.key, before.id]
      }
      if let status = filter.status {
        sql += " AND IFNULL(status, 'open') = ?"
        arguments += [status.rawValue]
      }
      if filter.regressed { sql += " AND regressedAt IS NOT NULL" }
      if !filter.kinds.isEmpty {
        sql += " AND kind IN (\(filter.kinds.map { _ in "?" }.joined(separator: ",")))"
        arguments += StatementArguments(filter.kinds)
      }
      if let version = filter.version {
        sql += " AND EXISTS (SELECT 1 FROM issue_version WHERE issue = issue.id AND issue_version.version = ?)"
        arguments += [version]
      }
      if let bundleId = filter.bundleId {
        sql += " AND bundleId = ?"
        arguments += [bundleId]
      }
      for condition in IssueTerms.conditions(filter.query) {
        sql += " AND \(condition.sql)"
        arguments += condition.arguments
      }
      sql += " ORDER BY \(filter.order.key) DESC, issue.id DESC LIMIT ?"
      arguments += [limit]
      let sorted = try Int64.fetchAll(database, sql: sql, arguments: arguments)
      let find = try database.cachedStatement(sql: IssueRow.select + " WHERE issue.id = ?")
      var page = try Page.fetch(sorted, bytes: store.limits.pageBytes) {
        try IssueRow.fetchOne(find, arguments: [$0])?.completed(database, now: now)
      }
      page.isFull = page.isFull || sorted.count == limit
      try RowMatches(filter.query).add(to: &page.rows, database)
      return page
    }
  }

  /// One issue; nil when there is none of this name.
  func issue(
    _ scope: ReadScope, _ name: String, now: Int64
  ) async throws -> (issue: IssueRow, reports: [IssueReportRow])? {
    try await store.read(scope) { database in
      guard
        let issue = try IssueRow.fetchOne(database, sql: IssueRow.select + " WHERE issue.name = ?", arguments: [name])
      else { return nil }
      let reports = try Page<IssueReportRow>.fetch(
        database, sql: IssueReportRow.select + " WHERE issue = ? ORDER BY issue_event.timestamp DESC LIMIT 100",
        arguments: [issue.row], limit: 100, bytes: store.limits.pageBytes
      ).rows
      return (try issue.completed(database, now: now, allVersions: true), reports)
    }
  }

  /// Reports of any issue, last arrived first.
  func reports(
    _ scope: ReadScope, kinds: [String], before: Int64?, limit: Int
  ) async throws -> Page<RecentReportRow> {
    try await store.read(scope) { database in
      var sql = RecentReportRow.select + " WHERE issue_event.event < ?"
      var arguments: StatementArguments = [before ?? .max]
      if !kinds.isEmpty {
        sql += " AND kind IN (\(kinds.map { _ in "?" }.joined(separator: ",")))"
        arguments += StatementArguments(kinds)
      }
      sql += " ORDER BY issue_event.event DESC LIMIT ?"
      arguments += [limit]
      return try Page.fetch(database, sql: sql, arguments: arguments, limit: limit, bytes: store.limits.pageBytes)
    }
  }

  /// The issue of an event; nil when it has none.
  func name(_ scope: ReadScope, ofEvent id: Int64) async throws -> String? {
    try await store.read(scope) { database in
      try String.fetchOne(
        database, sql: "SELECT name FROM issue JOIN issue_event ON issue_event.issue = issue.id WHERE event = ?",
        arguments: [id])
    }
  }
}

/// One issue as the API gives it out.
struct IssueRow: FetchableRecord, Weighed, Sendable {
  var row: Int64
  var name: String
  var kind: String
  var bundleId: String?
  var cause: String
  var culprit: String?
  var message: String?
  var file: String?
  var line: Int64?
  var events: Int64
  var first: Int64?
  var last: Int64?
  var sample: Int64?
  var longest: Double?
  var state: State?
  var sessions: Int64 = 0
  var versions: [(version: String, count: Int64)] = []
  var daily: [Int64] = []
  var hourly: [Int64] = []
  /// What else of it was found: a function, a user.
  var match: SearchMatch?

  /// What people decided.
  struct State: Sendable {
    var status: String
    var version: String?
    var changedAt: Int64
    var changedBy: String
    var regressedAt: Int64?
    var regressedIn: String?
  }

  static let columns = """
    issue.id, issue.name, kind, issue.bundleId, cause, culprit, message, file, line, issue.events, issue.first,
    issue.last, sample, longest, status, issue_state.version, changedAt, changedBy, regressedAt, regressedIn
    """
  static let states = " LEFT JOIN issue_state ON issue_state.name = issue.name"
  static let select = "SELECT \(columns) FROM issue\(states)"

  init(row: Row) { self.init(row: row, at: 0) }

  /// - Parameter start: of its columns in the row.
  init(row: Row, at start: Int) {
    self.row = row[start]
    name = row[start + 1]
    kind = row[start + 2]
    bundleId = row[start + 3]
    cause = row[start + 4]
    culprit = row[start + 5]
    message = row[start + 6]
    file = row[start + 7]
    line = row[start + 8]
    events = row[start + 9]
    first = row[start + 10]
    last = row[start + 11]
    sample = row[start + 12]
    longest = row[start + 13]
    let status: String? = row[start + 14]
    state = status.map {
      State(
        status: $0, version: row[start + 15], changedAt: row[start + 16], changedBy: row[start + 17],
        regressedAt: row[start + 18], regressedIn: row[start + 19])
    }
  }

  var weight: Int {
    900 + cause.utf8.count + (culprit?.utf8.count ?? 0) + (message?.utf8.count ?? 0) + (file?.utf8.count ?? 0)
      + versions.reduce(0) { $0 + $1.version.utf8.count + 12 }
  }

  /// With its sums.
  func completed(_ database: Database, now: Int64, allVersions: Bool = false) throws -> IssueRow {
    var result = self
    result.sessions =
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT COUNT(*) FROM issue_session WHERE issue = ?"), arguments: [row]) ?? 0
    result.versions = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT version, n FROM issue_version WHERE issue = ? ORDER BY n DESC LIMIT ?"),
      arguments: [row, allVersions ? 200 : 8]
    ).map { ($0[0], $0[1]) }
    let present = IssueWriter.hour(now)
    let span = Int64(IssueQuery.days * 24)
    result.daily = Array(repeating: 0, count: IssueQuery.days)
    result.hourly = Array(repeating: 0, count: IssueQuery.hours)
    let hours = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT hour, n FROM issue_hour WHERE issue = ? AND hour > ? AND hour <= ?"),
      arguments: [row, present - span, present])
    for hour in hours {
      let (at, count): (Int64, Int64) = (hour[0], hour[1])
      let age = Int(present - at)
      result.daily[IssueQuery.days - 1 - age / 24] += count
      if age < IssueQuery.hours { result.hourly[IssueQuery.hours - 1 - age] += count }
    }
    return result
  }

  /// Where a page that ends with this one ends.
  func cursor(_ order: IssueQuery.Order) -> PageCursor {
    let key: Int64? =
      switch order {
      case .last: last
      case .first: first
      case .count: events
      case .sessions: sessions
      }
    return PageCursor(key: key ?? 0, id: row)
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("id", name)
    json.member("kind", kind)
    json.member("title", IssueText.title(cause: cause, culprit: culprit))
    json.member("subtitle", message)
    json.member("cause", cause)
    json.member("culprit", culprit)
    json.member("file", file)
    json.member("line", line)
    json.member("bundleId", bundleId)
    json.member("status", state?.status ?? IssueStatus.open.rawValue)
    if let state {
      switch state.version.map(IssueStates.Fix.init) {
      case .from(let version): json.member("resolvedIn", version)
      case .after(let version): json.member("resolvedAfter", version)
      case nil: break
      }
      json.member("changedAt", state.changedAt)
      json.member("changedBy", state.changedBy)
      json.member("regressedAt", state.regressedAt)
      json.member("regressedIn", state.regressedIn)
    }
    json.member("count", events)
    json.member("sessions", sessions)
    json.member("first", first)
    json.member("last", last)
    json.object("versions") { for (version, count) in versions { $0.member(version, count) } }
    json.member("sample", sample)
    if let longest { json.member("longestMs", number: longest) }
    // Days and hours of 24 and 1 hours back from now, the oldest first.
    json.array("trend") { for count in daily { $0.number(count) } }
    json.array("hours") { for count in hourly { $0.number(count) } }
    match?.write(to: &json)
  }
}
