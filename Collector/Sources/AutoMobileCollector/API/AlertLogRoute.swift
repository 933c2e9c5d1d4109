import AutoMobileState
import Hummingbird

/// `/api/alerts/log`: what was told, and what became of it.
struct AlertLogRoute: Sendable {
  let state: any StateStore

  func add(to routes: RouteTable) {
    routes.get("/api/alerts/log", for: .fullReader) { request, _, _ in try await log(request) }
  }

  /// The newest first; with `after` what came since, the oldest first: so whoever follows misses nothing of a long list.
  private func log(_ request: Request) async throws -> Response {
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let after = try request.parameter("after").map { try PageCursor($0).id }
    let limit = try request.limit(default: 50)
    let written = try await state.read { state in
      var entries: [(id: Int64, row: StateRow, messages: [StateRow])] = []
      for row in try Self.rows(before: before, after: after, limit, in: state) {
        entries.append((try row[0], row, try Self.messages(of: row[0], in: state)))
      }
      let page = Page(rows: entries, isFull: entries.count == limit)
      let newest = entries.map(\.id).max()
      var json = JSONOutput()
      try json.object {
        try $0.array("log") {
          for entry in page.rows { try Self.write(entry.row, entry.messages, to: &$0) }
        }
        $0.member("next", page.next { PageCursor(key: 0, id: $0.id) })
        $0.member("newest", PageCursor(key: 0, id: newest ?? after ?? 0).text)
      }
      return json
    }
    return written.response()
  }

  private static func rows(
    before: Int64?, after: Int64?, _ limit: Int, in state: borrowing StateReading
  ) throws -> [StateRow] {
    var conditions: [StateSQL] = []
    var values: [StateValue] = [limit.stateValue]
    for (value, condition) in [(before, "id < "), (after, "id > ")] as [(Int64?, StateSQL)] {
      guard let value else { continue }
      values.append(value.stateValue)
      conditions.append("\(condition)\(value: values.count)")
    }
    let condition: StateSQL = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    let order: StateSQL = after == nil ? "DESC" : "ASC"
    return try state.rows(
      "SELECT id, rule, at, event, alert, held FROM alert_log \(condition) ORDER BY id \(order) LIMIT ?1",
      values: values)
  }

  private static func messages(of log: Int64, in state: borrowing StateReading) throws -> [StateRow] {
    try state.rows(
      """
      SELECT alert_message.name, channel, alert_channel.name, state, attempts, due, status, reason,
        alert_message.changedAt
      FROM alert_message LEFT JOIN alert_channel ON alert_channel.id = channel WHERE log = ?1
      ORDER BY alert_message.id
      """, log)
  }

  private static func write(_ row: StateRow, _ messages: [StateRow], to json: inout JSONOutput) throws {
    try json.object {
      $0.member("id", try row[0] as Int64)
      $0.member("rule", try row[1] as Int64)
      $0.member("at", try row[2] as Int64)
      $0.member("event", try row[3] as String)
      if let alert = Alert(json: try row[4]) {
        $0.member("ruleName", alert.ruleName)
        $0.member("kind", alert.kind.rawValue)
        $0.member("severity", alert.severity.rawValue)
        $0.member("title", alert.title)
        $0.member("text", alert.text)
        $0.member("place", alert.place)
        $0.member("happenedAt", alert.at)
        $0.member("repeats", alert.repeats)
      }
      $0.member("held", try row[5] as String?)
      try $0.array("messages") {
        for message in messages { try $0.object { try Self.write(message, to: &$0) } }
      }
    }
  }

  private static func write(_ message: StateRow, to json: inout JSONOutput) throws {
    let state: String = try message[3]
    json.member("id", try message[0] as String)
    json.member("channel", try message[1] as Int64)
    json.member("channelName", try message[2] as String?)
    json.member("state", state)
    json.member("attempts", try message[4] as Int64)
    if state == "waiting" { json.member("due", try message[5] as Int64) }
    json.member("status", try message[6] as Int64?)
    json.member("reason", try message[7] as String?)
    json.member("changedAt", try message[8] as Int64)
  }
}
