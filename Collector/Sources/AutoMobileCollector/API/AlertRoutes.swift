import Foundation
import GRDB
import Hummingbird

/// `/api/alerts`: who is told of what, where, and what they were told.
struct AlertRoutes: Sendable {
  let alerts: Alerts
  let bodies: SmallBodies
  private var store: EventStore { alerts.store.store }

  func add(to routes: RouteTable) {
    routes.get("/api/alerts", for: .reader) { _, _, scope in try await list(scope) }
    routes.get("/api/alerts/log", for: .reader) { request, _, scope in try await log(request, scope) }
    routes.post("/api/alerts/rules", for: .operator) { request, context, _ in
      try await save(request, context, change: nil)
    }
    routes.put("/api/alerts/rules/{id}", for: .operator) { request, context, _ in
      try await save(request, context, change: context.number)
    }
    routes.delete("/api/alerts/rules/{id}", for: .operator) { _, context, _ in
      try await alerts.store.removeRule(context.number)
      return JSONOutput.ok()
    }
    routes.post("/api/alerts/rules/{id}/test", for: .operator) { _, context, _ in try await test(rule: context.number) }
    routes.post("/api/alerts/channels", for: .operator) { request, context, _ in
      try await save(channel: request, context, change: nil)
    }
    routes.put("/api/alerts/channels/{id}", for: .operator) { request, context, _ in
      try await save(channel: request, context, change: context.number)
    }
    routes.delete("/api/alerts/channels/{id}", for: .operator) { _, context, _ in
      try await alerts.store.removeChannel(context.number, at: WallClock.now)
      return JSONOutput.ok()
    }
    routes.post("/api/alerts/channels/{id}/test", for: .operator) { _, context, _ in
      let outcome = try await alerts.test(channel: context.number, at: WallClock.now)
      return JSONOutput.ok { Self.write(outcome, to: &$0) }
    }
  }

  private func save(_ request: Request, _ context: CollectorContext, change id: Int64?) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let saved = try await alerts.store.save(body, change: id, by: context.author(request), at: WallClock.now)
    alerts.watch.wake()
    let rule = try await store.pool.read { try AlertStore.rule(saved, in: $0) }
    return JSONOutput.ok {
      $0.member("id", saved)
      $0.member("sentence", rule?.sentence)
    }
  }

  private func save(channel request: Request, _ context: CollectorContext, change id: Int64?) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let (channel, secret) = try await alerts.store.save(
      channel: body, change: id, by: context.author(request), at: WallClock.now)
    return JSONOutput.ok {
      $0.member("id", channel.id)
      // The only moment at which it can be read.
      if let secret { $0.member("secret", secret) }
    }
  }

  /// Each of its channels gets a message that says that nothing has happened.
  private func test(rule id: Int64) async throws -> Response {
    guard let rule = try await store.pool.read({ try AlertStore.rule(id, in: $0) }) else { throw AlertStore.noRule }
    var outcomes: [(Int64, AlertCourier.Outcome)] = []
    for channel in rule.settings.channels {
      outcomes.append((channel, try await alerts.test(channel: channel, rule: rule, at: WallClock.now)))
    }
    return JSONOutput.ok {
      $0.array("channels") {
        for (channel, outcome) in outcomes {
          $0.object {
            $0.member("id", channel)
            Self.write(outcome, to: &$0)
          }
        }
      }
    }
  }

  private static func write(_ outcome: AlertCourier.Outcome, to json: inout JSONOutput) {
    switch outcome {
    case .sent(let status):
      json.member("sent", true)
      json.member("status", status.map(Int64.init))
    case .later(let reason, let status, _), .failed(let reason, let status):
      json.member("sent", false)
      json.member("status", status.map(Int64.init))
      json.member("reason", reason)
    }
  }

  // MARK: Reading

  private func list(_ scope: ReadScope) async throws -> Response {
    let (rules, channels, firing, waiting) = try await store.read(scope) { database in
      (
        try AlertStore.rules(in: database), try AlertStore.channels(in: database),
        try Self.counts("SELECT rule, COUNT(*) FROM alert_state WHERE firing GROUP BY rule", database),
        try Self.counts(
          "SELECT channel, COUNT(*) FROM alert_message WHERE state = 'waiting' GROUP BY channel", database)
      )
    }
    let report = alerts.watch.report
    var json = JSONOutput()
    json.object {
      $0.array("rules") { for rule in rules { rule.write(to: &$0) } }
      $0.array("channels") { for channel in channels { channel.write(to: &$0) } }
      $0.object("firing") { for (rule, count) in firing { $0.member(String(rule), count) } }
      $0.object("waiting") { for (channel, count) in waiting { $0.member(String(channel), count) } }
      $0.member("publicURL", alerts.publicURL)
      $0.array("allowedEgress") { for name in alerts.courier.egress.policy.names { $0.string(name) } }
      $0.object("watch") {
        $0.member("looks", report.looks)
        $0.member("lastLook", report.lastLook)
        $0.member("totalMs", number: (report.seconds * 1e6).rounded() / 1000)
        $0.member("longestMs", number: (report.longest * 1e6).rounded() / 1000)
        $0.member("problem", report.problem)
      }
    }
    return json.response()
  }

  /// The newest first; `before` an id for the page after it, `after` one for what came since.
  private func log(_ request: Request, _ scope: ReadScope) async throws -> Response {
    func id(_ name: String) throws -> Int64? {
      guard let text = request.parameter(name) else { return nil }
      guard let id = Int64(text), id >= 0 else {
        throw APIError.badRequest("invalid_\(name)", "\(name) must be a number")
      }
      return id
    }
    let (before, after, limit) = (try id("before"), try id("after"), min(try request.limit(default: 50), 200))
    let written = try await store.read(scope) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, rule, at, event, alert, held FROM alert_log WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR id > ?2)
          ORDER BY id DESC LIMIT ?3
          """, arguments: [before, after, limit])
      var json = JSONOutput()
      try json.object {
        try $0.array("log") {
          for row in rows {
            let messages = try Row.fetchAll(
              database.cachedStatement(
                sql: """
                  SELECT alert_message.name, channel, alert_channel.name, state, attempts, due, status, reason,
                    alert_message.changedAt
                  FROM alert_message LEFT JOIN alert_channel ON alert_channel.id = channel WHERE log = ?
                  ORDER BY alert_message.id
                  """), arguments: [row[0] as Int64])
            Self.write(row, messages, to: &$0)
          }
        }
      }
      return json
    }
    return written.response()
  }

  private static func counts(_ sql: String, _ database: Database) throws -> [(id: Int64, count: Int64)] {
    try Row.fetchAll(database, sql: sql).map { ($0[0], $0[1]) }
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
