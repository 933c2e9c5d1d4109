import AutoMobileState
import Foundation
import Hummingbird

/// `/api/alerts`: who is told of what, where, and what they were told.
struct AlertRoutes: Sendable {
  let alerts: Alerts
  let bodies: SmallBodies
  private var state: any StateStore { alerts.store.state }

  func add(to routes: RouteTable) {
    routes.get("/api/alerts", for: .fullReader) { _, _, _ in try await list() }
    AlertLogRoute(state: state).add(to: routes)
    routes.post("/api/alerts/rules", for: .operator) { request, context, _ in
      try await save(request, context, change: nil)
    }
    routes.put("/api/alerts/rules/{id}", for: .operator) { request, context, _ in
      try await save(request, context, change: context.number)
    }
    routes.delete("/api/alerts/rules/{id}", for: .operator) { _, context, _ in
      try await alerts.store.removeRule(context.number, at: WallClock.now)
      alerts.sender.wake()
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
    alerts.sender.wake()
    // It is kept, whether or not it can be read at this moment.
    let rule = (try? await state.read { try AlertStore.rule(saved, in: $0) }) ?? nil
    return JSONOutput.ok {
      $0.member("id", saved)
      $0.member("sentence", rule?.sentence)
    }
  }

  private func save(channel request: Request, _ context: CollectorContext, change id: Int64?) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let (channel, secret) = try await alerts.store.save(
      channel: body, change: id, by: context.author(request), at: WallClock.now)
    alerts.sender.wake()
    return JSONOutput.ok {
      $0.member("id", channel.id)
      // The only moment at which it can be read.
      if let secret { $0.member("secret", secret) }
    }
  }

  /// Each of its channels gets a message that says that nothing has happened.
  private func test(rule id: Int64) async throws -> Response {
    guard let rule = try await state.read({ try AlertStore.rule(id, in: $0) }) else { throw AlertStore.noRule }
    // Beside each other: a receiver that hangs must not make whoever pressed the button wait for it twenty times.
    let found = try await withThrowingTaskGroup(of: (Int64, AlertCourier.Outcome).self) { group in
      for channel in rule.settings.channels {
        group.addTask { (channel, try await alerts.test(channel: channel, rule: rule, at: WallClock.now)) }
      }
      return try await group.reduce(into: [Int64: AlertCourier.Outcome]()) { $0[$1.0] = $1.1 }
    }
    let outcomes = rule.settings.channels.compactMap { channel in found[channel].map { (channel, $0) } }
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

  private func list() async throws -> Response {
    let (rules, channels, firing, waiting) = try await state.read { state in
      (
        try AlertStore.rules(in: state), try AlertStore.channels(in: state), try AlertDecision.firing(in: state),
        try AlertOutbox.waiting(in: state)
      )
    }
    let (report, sending) = (alerts.watch.report, alerts.sender.report)
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
      $0.object("sending") {
        $0.member("sent", sending.sent)
        $0.member("failed", sending.failed)
        $0.member("unreadable", sending.unreadable)
        $0.member("problem", sending.problem)
      }
    }
    return json.response()
  }
}
