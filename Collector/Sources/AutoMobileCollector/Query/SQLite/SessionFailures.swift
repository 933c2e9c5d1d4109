import GRDB

extension SessionFailure {
  /// Told of one session.
  static let most = 2
  /// Longer ones are cut, in characters.
  private static let longest = 120
  /// Looked at of one session: so many from its first error on, and so many up to its last. A crash is the last.
  private static let (early, late) = (20, 10)
  /// Longer events are not opened, in bytes: logs, and failures with their stacks.
  private static let longestEvent = 256 << 10

  /// Errors, in the order of time: nothing else of a session has to be read to find them.
  static let index = "CREATE INDEX IF NOT EXISTS event_error ON event(session, timestamp, type) WHERE severity >= 4"

  /// Tells of each session what failed in it.
  static func add(to sessions: inout [SessionRow], _ database: Database) throws {
    let failures = try of(sessions.filter { $0.errors > 0 }.map(\.row), in: database)
    for index in sessions.indices { sessions[index].failures = failures[sessions[index].row] ?? [] }
  }

  /// Of sessions, by their rows: in the order of time, those chosen that took the app away or that the app told of.
  static func of(_ sessions: [Int64], in database: Database) throws -> [Int64: [SessionFailure]] {
    let found = try rows(
      """
      SELECT wanted.value, event.id, event_type.name, issue.id,
        \(IssueMerges.own("cause")), \(IssueMerges.own("culprit")), network.method, network.path,
        network.status
      FROM json_each(?) AS wanted CROSS JOIN event ON event.id IN (
          SELECT id FROM (\(errors("ASC", early))) UNION SELECT id FROM (\(errors("DESC", late))))
        JOIN event_type ON event_type.id = event.type
        LEFT JOIN issue_event ON issue_event.event = event.id LEFT JOIN issue ON issue.id = issue_event.issue
        \(IssueMerges.joinPart)
        LEFT JOIN network ON network.event = event.id
      ORDER BY wanted.key, event.timestamp, \(EventOrder.tie)
      """, sessions, in: database)
    var all: [Int64: [Candidate]] = [:]
    for row in found {
      let (session, candidate): (Int64, Candidate) = (row[0], Candidate(row))
      if all[session, default: []].contains(where: { $0.isLike(candidate) }) { continue }
      all[session, default: []].append(candidate)
    }
    var chosen = all.mapValues { candidates in
      // What is more telling counts; of what is as telling, the later: it is nearer to the end.
      let best = candidates.enumerated().sorted { ($0.element.rank, -$0.offset) < ($1.element.rank, -$1.offset) }
      let least = best.first?.element.rank ?? 0
      return best.prefix(most).filter { $0.element.rank == least || $0.element.rank < Candidate.Rank.request }
        .sorted { $0.offset < $1.offset }.map(\.element)
    }
    try readWords(&chosen, in: database)
    return chosen.mapValues { $0.compactMap(\.failure) }.filter { !$0.value.isEmpty }
  }

  private static func errors(_ order: String, _ limit: Int) -> String {
    """
    SELECT id FROM \(IndexedRows.event(by: "event_error")) WHERE session = wanted.value AND severity >= 4
    ORDER BY timestamp \(order) LIMIT \(limit)
    """
  }

  private static func rows(_ sql: String, _ values: [Int64], in database: Database) throws -> [Row] {
    values.isEmpty ? [] : try Row.fetchAll(database.cachedStatement(sql: sql), arguments: ["\(values)"])
  }

  /// What the app itself said of it: of one report of an issue, not of another one. Only for those that are shown, since that
  /// can be long.
  private static func readWords(_ chosen: inout [Int64: [Candidate]], in database: Database) throws {
    let wanted = chosen.values.joined().filter(\.hasWords).map(\.event)
    let members = ["message", "customMessage", "errorMessage"].map {
      // Of any other type it is nothing that a developer wrote.
      "CASE json_type(json, '$.\($0)') WHEN 'text' THEN substr(json_extract(json, '$.\($0)'), 1, 500) END"
    }
    let found = try rows(
      """
      SELECT id, \(members.joined(separator: ", "))
      FROM (SELECT event.id, CAST(payload AS TEXT) AS json FROM json_each(?) AS wanted
        CROSS JOIN event ON event.id = wanted.value WHERE length(payload) <= \(longestEvent))
      """, wanted, in: database)
    let words = Dictionary(found.map { ($0[0] as Int64, $0) }, uniquingKeysWith: { first, _ in first })
    for session in chosen.keys {
      chosen[session] = chosen[session]?.map { candidate in
        var candidate = candidate
        if let row = words[candidate.event] { candidate.say(row[1], row[2], row[3]) }
        return candidate
      }
    }
  }

  /// An error that may be told.
  private struct Candidate {
    enum Rank { static let (worst, told, hang, request, log) = (0, 1, 2, 3, 4) }

    var event: Int64
    var type: String
    var title: String?
    private var issue: Int64?
    var rank: Int
    /// What it says is in the event only.
    var hasWords: Bool { type == "log" || type == "handled_exception" }

    init(_ row: Row) {
      event = row[1]
      type = row[2]
      issue = row[3]
      let cause: String? = row[4]
      let culprit: String? = row[5]
      switch type {
      case "crash": (rank, title) = (Rank.worst, culprit.map { "Crash in \($0)" } ?? "Crash: \(cause ?? "unknown")")
      case "handled_exception": (rank, title) = (Rank.told, cause ?? "Handled exception")
      case "hang": (rank, title) = (Rank.hang, culprit.map { "Hang in \($0)" } ?? "Hang")
      case "network_request":
        let (method, path, status): (String?, String?, Int64?) = (row[6], row[7], row[8])
        (rank, title) = (
          Rank.request, "\(method ?? "Request") \(path ?? "")\(status.map { ": \($0)" } ?? " failed")"
        )
      default: rank = Rank.log
      }
    }

    /// Takes over what the app said of it.
    mutating func say(_ message: String?, _ custom: String?, _ error: String?) {
      let parts = (type == "log" ? [message] : [custom, error]).compactMap { $0 }.filter { !$0.isEmpty }
      if !parts.isEmpty { title = parts.joined(separator: ": ") }
    }

    /// Whether it would be told in the same words.
    func isLike(_ other: Candidate) -> Bool {
      issue != nil ? issue == other.issue : title != nil && type == other.type && title == other.title
    }

    var failure: SessionFailure? {
      guard let title, !title.isEmpty else { return nil }
      let line = title.split(whereSeparator: \.isNewline).first.map(String.init) ?? title
      let isLong = line.count > SessionFailure.longest
      return SessionFailure(
        event: event, type: type, title: isLong ? line.prefix(SessionFailure.longest) + "…" : line)
    }
  }
}
