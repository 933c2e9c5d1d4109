import Foundation
import Hummingbird

/// `/api/forwarders`: where everything is passed on to, and how far that has come.
struct ForwarderRoutes: Sendable {
  let forwarding: Forwarding
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    routes.get("/api/forwarders", for: .fullReader) { _, _, scope in try await list(scope) }
    routes.post("/api/forwarders", for: .operator) { request, context, _ in
      try await save(request, context, change: nil)
    }
    routes.put("/api/forwarders/{id}", for: .operator) { request, context, _ in
      try await save(request, context, change: context.number)
    }
    routes.delete("/api/forwarders/{id}", for: .operator) { _, context, _ in
      try await forwarding.store.remove(context.number)
      await forwarding.refresh()
      return JSONOutput.ok()
    }
    routes.post("/api/forwarders/{id}/test", for: .operator) { _, context, _ in
      let outcomes = try await forwarding.test(context.number)
      return JSONOutput.ok {
        $0.array("signals") { for (signal, outcome) in outcomes { Self.write(signal, outcome, to: &$0) } }
      }
    }
  }

  private func save(_ request: Request, _ context: CollectorContext, change id: Int64?) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let saved = try await forwarding.store.save(body, change: id, by: context.author(request), at: WallClock.now)
    // Whoever sets it, even to what it was, has a blocked one try again.
    await forwarding.refresh()
    return JSONOutput.ok { $0.member("id", saved) }
  }

  private static func write(_ signal: ForwardSignal, _ outcome: ForwardOutcome, to json: inout JSONOutput) {
    let reason: String? =
      switch outcome {
      case .accepted(rejected: 0, _): nil
      case .accepted(_, let reason): "the receiver answered, and did not take the record: \(reason ?? "")"
      case .later(let reason, _), .tooLarge(let reason), .refused(let reason), .blocked(let reason): reason
      }
    json.object {
      $0.member("signal", signal.rawValue)
      $0.member("sent", reason == nil)
      $0.member("reason", reason)
    }
  }

  // MARK: Reading

  private func list(_ scope: ReadScope) async throws -> Response {
    // First, so that no lane is further than what there is.
    let forwarders = try await forwarding.store.state.read { try ForwarderStore.all(in: $0) }
    let entries = try await forwarding.lanes.read { try ForwardLedger.entries(in: $0) }
    let statuses = forwarding.statuses
    let behind = try await forwarding.behind(entries, statuses, scope)
    var json = JSONOutput()
    json.object {
      $0.array("forwarders") {
        for forwarder in forwarders {
          $0.object {
            forwarder.write(to: &$0)
            $0.array("lanes") {
              for signal in ForwardSignal.allCases {
                let name = ForwardLaneName(forwarder: forwarder.id, signal: signal)
                let lane = ForwardLaneView(
                  forwarder: forwarder, signal: signal, entry: entries[name] ?? .init(), status: statuses[name],
                  behind: behind[name] ?? 0)
                lane.write(to: &$0)
              }
            }
          }
        }
      }
      $0.array("allowedEgress") { for name in forwarding.egress.policy.names { $0.string(name) } }
    }
    return json.response()
  }
}
