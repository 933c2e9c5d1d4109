import Hummingbird

/// `/api/audit`: who did what.
struct AuditRoutes: Sendable {
  let log: AuditLog

  func add(to routes: RouteTable) {
    routes.get("/api/audit", for: .operator) { request, _, _ in try await page(request) }
  }

  private func page(_ request: Request) async throws -> Response {
    var filter = AuditTables.Filter()
    filter.limit = try request.limit(default: 100)
    filter.who = request.parameter("who")
    filter.what = request.parameter("what")
    filter.from = try request.time("from")
    filter.to = try request.time("to")
    filter.before = try request.parameter("before").map { try PageCursor($0).id }
    filter.action = try request.parameter("action").map { text in
      guard let action = AuditEntry.Action(rawValue: text) else {
        let all = AuditEntry.Action.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError.badRequest("invalid_action", "action must be one of \(all)")
      }
      return action
    }
    let entries = try await log.page(filter)
    var json = JSONOutput()
    json.object {
      $0.array("entries") {
        for entry in entries { entry.write(to: &$0) }
      }
      let isMore = entries.count == filter.limit
      $0.member("next", isMore ? entries.last.map { PageCursor(key: 0, id: $0.id).text } : nil)
    }
    return json.response()
  }
}

extension AuditEntry {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("at", at)
      $0.member("who", who)
      $0.member("by", by)
      $0.member("address", address)
      $0.member("action", action.rawValue)
      $0.member("route", route)
      $0.member("thing", thing)
      $0.member("status", Int64(status))
    }
  }
}
