import AutoMobileState
import Hummingbird

/// `/api/asks`: asking for what devices keep, and taking that back.
struct AskRoutes: Sendable {
  let asks: Asks
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    AskListRoutes(rows: asks.rows).add(to: routes)
    routes.post("/api/asks", for: .projectOperator) { request, context, scope in
      let wish = try AskRules.wish(try await bodies.json(request, maximumDepth: 4))
      let ask = try await asks.ask(wish, scope, by: context.author(request))
      // As when their page is looked at: an erasure's receipt counts what stays of them.
      context.audit.set(thing: ask.session ?? ask.subject)
      return ask.response()
    }
    routes.delete("/api/asks/{id}", for: .projectOperator) { request, context, scope in
      let ask = try await asks.withdraw(try context.number, scope, by: context.author(request))
      context.audit.set(thing: ask.session ?? ask.subject)
      return ask.response()
    }
  }
}

/// What is asked for, and what became of it: also where nobody can be asked.
struct AskListRoutes: Sendable {
  let rows: any StateStore

  func add(to routes: RouteTable) {
    routes.get("/api/asks", for: .reader) { request, _, scope in try await list(request, scope) }
    routes.get("/api/asks/{id}", for: .reader) { _, context, scope in
      let id = try context.number
      guard let ask = try await rows.read({ try AskTables.one(id, in: $0) }), scope.sees(ask.bundle) else {
        throw Asks.unknown
      }
      return ask.response()
    }
  }

  private func list(_ request: Request, _ scope: ReadScope) async throws -> Response {
    let named = Ask.Kind.allCases.compactMap { kind in request.parameter(kind.rawValue).map { (kind, $0) } }
    guard named.count <= 1 else {
      throw APIError.badRequest("invalid_subject", "name one of session, user, device and appVersion, or none")
    }
    let filter = AskTables.Filter(
      bundle: request.parameter("app"), kind: named.first?.0, subject: named.first?.1,
      isOpen: request.parameter("open") == "true",
      before: try request.parameter("before").map { try PageCursor($0).id },
      limit: try request.limit(default: 50))
    let page = try await rows.read { try AskTables.page(filter, where: { scope.sees($0) }, in: $0) }
    var json = JSONOutput()
    json.object {
      $0.array("asks") { for ask in page { $0.object { ask.writeMembers(to: &$0) } } }
      $0.member("next", page.count == filter.limit ? page.last.map { PageCursor(key: 0, id: $0.id).text } : nil)
    }
    return json.response()
  }
}

extension Ask {
  fileprivate func response() -> Response {
    var json = JSONOutput()
    json.object { writeMembers(to: &$0) }
    return json.response()
  }
}
