import GRDB

extension SessionFailure {
  /// Told of one session.
  static let most = 2

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
          SELECT id FROM (\(errors("ASC", FailureCandidate.early)))
          UNION SELECT id FROM (\(errors("DESC", FailureCandidate.late))))
        JOIN event_type ON event_type.id = event.type
        LEFT JOIN issue_event ON issue_event.event = event.id LEFT JOIN issue ON issue.id = issue_event.issue
        \(IssueMerges.joinPart)
        LEFT JOIN network ON network.event = event.id
      ORDER BY wanted.key, event.timestamp, \(EventOrder.tie)
      """, sessions, in: database)
    var all: [Int64: [FailureCandidate]] = [:]
    for row in found { all[row[0], default: []].append(FailureCandidate(row)) }
    var chosen = all.mapValues { FailureCandidate.chosen(of: $0) }
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
  private static func readWords(_ chosen: inout [Int64: [FailureCandidate]], in database: Database) throws {
    let wanted = chosen.values.joined().filter(\.hasWords).map(\.event)
    let members = ["message", "customMessage", "errorMessage"].map {
      // Of any other type it is nothing that a developer wrote.
      "CASE json_type(json, '$.\($0)') WHEN 'text' THEN substr(json_extract(json, '$.\($0)'), 1, 500) END"
    }
    let found = try rows(
      """
      SELECT id, \(members.joined(separator: ", "))
      FROM (SELECT event.id, CAST(payload AS TEXT) AS json FROM json_each(?) AS wanted
        CROSS JOIN event ON event.id = wanted.value WHERE length(payload) <= \(FailureCandidate.longestEvent))
      """, wanted, in: database)
    let words = Dictionary(found.map { ($0[0] as Int64, $0) }, uniquingKeysWith: { first, _ in first })
    for session in chosen.keys {
      chosen[session] = chosen[session]?.map { candidate in
        var candidate = candidate
        if let row = words[candidate.event] {
          candidate.say(FailureCandidate.words(candidate.type, row[1], row[2], row[3]))
        }
        return candidate
      }
    }
  }
}

extension FailureCandidate {
  fileprivate init(_ row: Row) {
    let issue: Int64? = row[3]
    self.init(
      event: row[1], type: row[2],
      Facts(
        issue: issue.map { "\($0)" }, cause: row[4], culprit: row[5], method: row[6], path: row[7], status: row[8]))
  }
}
