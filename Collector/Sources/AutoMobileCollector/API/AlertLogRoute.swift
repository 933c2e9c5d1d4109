import GRDB
import Hummingbird

/// `/api/alerts/log`: what was told, and what became of it.
struct AlertLogRoute: Sendable {
  let store: EventStore

  func add(to routes: RouteTable) {
    routes.get("/api/alerts/log", for: .fullReader) { request, _, scope in try await log(request, scope) }
  }

  /// The newest first; with `after` what came since, the oldest first: so whoever follows misses nothing of a long list.
  private func log(_ request: Request, _ scope: ReadScope) async throws -> Response {
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let after = try request.parameter("after").map { try PageCursor($0).id }
    let limit = try request.limit(default: 50)
    let written = try await store.read(scope) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, rule, at, event, alert, held FROM alert_log WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR id > ?2)
          ORDER BY id \(after == nil ? "DESC" : "ASC") LIMIT ?3
          """, arguments: [before, after, limit])
      let page = Page(rows: rows, isFull: rows.count == limit)
      let newest = rows.map { $0[0] as Int64 }.max()
      var json = JSONOutput()
      try json.object {
        try $0.array("log") {
          for row in page.rows { Self.write(row, try Self.messages(of: row[0], database), to: &$0) }
        }
        $0.member("next", page.next { PageCursor(key: 0, id: $0[0]) })
        $0.member("newest", PageCursor(key: 0, id: newest ?? after ?? 0).text)
      }
      return json
    }
    return written.response()
  }

  private static func messages(of log: Int64, _ database: Database) throws -> [Row] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT alert_message.name, channel, alert_channel.name, state, attempts, due, status, reason,
            alert_message.changedAt
          FROM alert_message LEFT JOIN alert_channel ON alert_channel.id = channel WHERE log = ?
          ORDER BY alert_message.id
          """), arguments: [log])
  }

  private static func write(_ row: Row, _ messages: [Row], to json: inout JSONOutput) {
    json.object {
      $0.member("id", row[0] as Int64)
      $0.member("rule", row[1] as Int64)
      $0.member("at", row[2] as Int64)
      $0.member("event", row[3] as String)
      if let alert = Alert(json: row[4]) {
        $0.member("ruleName", alert.ruleName)
        $0.member("kind", alert.kind.rawValue)
        $0.member("severity", alert.severity.rawValue)
        $0.member("title", alert.title)
        $0.member("text", alert.text)
        $0.member("place", alert.place)
        $0.member("happenedAt", alert.at)
        $0.member("repeats", alert.repeats)
      }
      $0.member("held", row[5] as String?)
      $0.array("messages") {
        for message in messages {
          $0.object {
            $0.member("id", message[0] as String)
            $0.member("channel", message[1] as Int64)
            $0.member("channelName", message[2] as String?)
            $0.member("state", message[3] as String)
            $0.member("attempts", message[4] as Int64)
            if message[3] as String == "waiting" { $0.member("due", message[5] as Int64) }
            $0.member("status", message[6] as Int64?)
            $0.member("reason", message[7] as String?)
            $0.member("changedAt", message[8] as Int64)
          }
        }
      }
    }
  }
}
