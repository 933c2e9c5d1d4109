import Hummingbird

/// `/api/sessions/{id}/spans` and `/api/traces/{id}`: what took time in a session, and what a request set off elsewhere.
struct SpanRoutes: Sendable {
  let spans: any SpanReading

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/spans", for: .reader) { request, context, scope in
      try await list(scope, of: context.sessionId, request)
    }
    routes.get("/api/traces/{id}", for: .reader) { request, context, scope in
      try await trace(scope, context.parameters.get("id") ?? "", request)
    }
  }

  private func list(_ scope: ReadScope, of session: String, _ request: Request) async throws -> Response {
    let newer = try request.parameter("newer").map { text in
      guard let id = Int64(text) else {
        throw APIError.badRequest("invalid_newer", "newer must be the number of an event")
      }
      return id
    }
    let after = try request.parameter("after").map { try PageCursor($0) }
    let limit = try request.limit(default: 500)
    guard let page = try await spans.list(scope, of: session, newer: newer, after: after, limit: limit) else {
      throw APIError(.notFound, "no_session", "no session with this id")
    }
    var json = JSONOutput()
    json.object {
      $0.array("spans") { for row in page.rows { row.write(to: &$0) } }
      $0.member("next", page.next(\.cursor))
    }
    return json.response()
  }

  private func trace(_ scope: ReadScope, _ text: String, _ request: Request) async throws -> Response {
    guard let name = TraceName(text) else {
      throw APIError.badRequest("invalid_trace", "the id of a trace has 32 hexadecimal digits, and is not zero")
    }
    let after = try request.parameter("after").map { try PageCursor($0) }
    let limit = try request.limit(default: 500)
    let (page, requests) = try await spans.trace(scope, name, after: after, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.member("traceId", name.text)
      $0.array("spans") { for row in page.rows { row.write(to: &$0) } }
      if after == nil { $0.array("requests") { for row in requests { row.write(to: &$0) } } }
      $0.member("next", page.next(\.cursor))
    }
    return json.response()
  }
}
