import Hummingbird

/// `/api/users/{id}`: one person, by the name that apps gave them.
struct UserRoutes: Sendable {
  let sessions: any SessionReading

  func add(to routes: RouteTable) {
    routes.get("/api/users/{id}", for: .reader) { request, context, scope in
      guard let user = try await sessions.user(scope, context.sessionId, app: request.parameter("app")) else {
        throw Self.noUser
      }
      var json = JSONOutput()
      json.object { user.writeMembers(to: &$0) }
      return json.response()
    }
    routes.get("/api/users/{id}/sessions", for: .reader) { request, context, scope in
      let before = try request.parameter("before").map { try PageCursor($0) }
      let page = try await sessions.sessions(
        scope, ofUser: context.sessionId, app: request.parameter("app"), before: before,
        limit: request.limit(default: 50),
        now: WallClock.now)
      var json = JSONOutput()
      json.object {
        $0.array("sessions") { for row in page.rows { $0.object { row.writeMembers(to: &$0) } } }
        $0.member("next", page.next(\.place))
      }
      return json.response()
    }
  }

  private static var noUser: APIError { APIError(.notFound, "no_user", "no session has this user") }
}
