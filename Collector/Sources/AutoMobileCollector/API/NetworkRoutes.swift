import Hummingbird

/// `/api/network`: requests of one session or of all, listed, counted, and whole.
struct NetworkRoutes: Sendable {
  let requests: any RequestReading

  func add(to routes: RouteTable) {
    routes.get("/api/network", for: .reader) { request, _, scope in try await list(scope, request) }
    routes.get("/api/network/stats", for: .reader) { request, _, scope in try await statistics(scope, request) }
    routes.get("/api/network/{id}", for: .reader) { _, context, scope in try await exchange(scope, context.event) }
  }

  private func list(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 100)
    let after = try request.parameter("before").map { try PageCursor($0) }
    let filter = try NetworkFilter(request)
    let (rows, next, isWholeWords) = try await requests.list(scope, filter, after: after, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.array("requests") { for row in rows { row.write(to: &$0) } }
      $0.member("next", next?.text)
      filter.query.writeMarks(to: &$0)
      if isWholeWords { $0.member("wholeWords", true) }
    }
    return json.response()
  }

  private func statistics(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let filter = try NetworkFilter(request)
    let statistics = try await requests.statistics(scope, filter)
    var json = JSONOutput()
    statistics.write(to: &json)
    return json.response()
  }

  private func exchange(_ scope: ReadScope, _ id: Int64) async throws -> Response {
    let (event, frames, count) = try await requests.exchange(scope, id)
    var json = JSONOutput()
    json.object {
      $0.name("event")
      event.write(to: &$0)
      $0.member("frameCount", Int64(count))
      $0.array("frames") { for frame in frames { frame.write(to: &$0) } }
    }
    return json.response()
  }
}

extension CollectorContext {
  /// The path's `{id}`.
  var event: Int64 {
    get throws {
      guard let id = parameters.get("id").flatMap({ Int64($0) }) else {
        throw APIError.badRequest("invalid_event", "the id of an event must be a number")
      }
      return id
    }
  }
}
