import Foundation
import Hummingbird

/// `/api/…`: what viewer, command line and scripts read.
struct QueryRoutes: Sendable {
  let sessions: any SessionReading
  let events: any EventReading
  let launches: any LaunchReading

  init(_ telemetry: any TelemetryStore) {
    sessions = telemetry.sessions
    events = telemetry.events
    launches = telemetry.launches
  }

  func add(to routes: RouteTable) {
    routes.get("/api/sessions", for: .reader) { request, _, scope in try await listSessions(scope, request) }
    routes.get("/api/sessions/facets", for: .reader) { request, _, scope in try await facets(scope, request) }
    routes.get("/api/sessions/{id}", for: .reader) { _, context, scope in
      try await session(scope, context.sessionId)
    }
    routes.get("/api/sessions/{id}/events", for: .reader) { request, context, scope in
      try await timeline(scope, of: context.sessionId, request)
    }
    OutlineRoutes(events: events).add(to: routes)
    routes.get("/api/events", for: .reader) { request, _, scope in try await search(scope, request) }
    routes.get("/api/launches", for: .reader) { request, _, scope in try await listLaunches(scope, request) }
    routes.get("/api/quarantine", for: .reader) { request, _, scope in try await quarantine(scope, request) }
  }

  private func listSessions(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0) }
    let filter = try SessionFilter(request)
    let (page, isWholeWords) = try await sessions.list(scope, filter, before: before, limit: limit, now: WallClock.now)
    var json = JSONOutput()
    json.object {
      $0.array("sessions") { for row in page.rows { $0.object { row.writeMembers(to: &$0) } } }
      $0.member("next", page.next(\.place))
      filter.query.writeMarks(to: &$0)
      if isWholeWords { $0.member("wholeWords", true) }
    }
    return json.response()
  }

  private func facets(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let facets = try await sessions.facets(scope, SessionFilter(request), now: WallClock.now)
    var json = JSONOutput()
    json.object { facets.writeMembers(to: &$0) }
    return json.response()
  }

  private func session(_ scope: ReadScope, _ id: String) async throws -> Response {
    guard let (session, launches) = try await sessions.session(scope, id, now: WallClock.now) else {
      throw Self.noSession
    }
    var json = JSONOutput()
    json.object {
      session.writeMembers(to: &$0)
      $0.array("launchLedgers") { for launch in launches.rows { launch.write(to: &$0) } }
    }
    return json.response()
  }

  private func timeline(_ scope: ReadScope, of id: String, _ request: Request) async throws -> Response {
    let after = try request.parameter("after").map { try PageCursor($0) }
    let before = try request.parameter("before").map { try PageCursor($0) }
    let filter = try request.eventFilter
    let ids = try OutlineRoutes.ids(request)
    guard before == nil || (after == nil && ids == nil) else {
      throw APIError.badRequest("invalid_page", "before cannot be asked for together with after or ids")
    }
    let part = before.map { .before($0) } ?? after.map { .after($0) } ?? TimelinePart.start
    let page =
      if let ids {
        try await events.events(scope, ids, of: id, after: after)
      } else {
        try await events.timeline(scope, of: id, part, limit: request.limit(default: 500), filter: filter)
      }
    guard let page else { throw Self.noSession }
    return Self.page(page.rows, next: part.next(page), filter.query)
  }

  private func search(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 100)
    let before = try request.parameter("before").map { try PageCursor($0) }
    let filter = try request.eventFilter
    let found = try await events.newest(scope, before: before, limit: limit, filter: filter)
    return Self.page(found.events, next: found.next?.text, filter.query, isWholeWords: found.isWholeWords)
  }

  private func listLaunches(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 100)
    let before = try request.parameter("before").map { try PageCursor($0) }
    let page = try await launches.list(scope, before: before, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.array("launches") { for row in page.rows { row.write(to: &$0) } }
      $0.member("next", page.next(\.place))
    }
    return json.response()
  }

  private func quarantine(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let before = try request.parameter("before").map { try PageCursor($0) }
    let page = try await launches.quarantine(scope, before: before, limit: request.limit(default: 100))
    var json = JSONOutput()
    json.object {
      $0.array("quarantine") { for row in page.rows { row.write(to: &$0) } }
      $0.member("next", page.next { PageCursor(key: 0, id: $0.id) })
    }
    return json.response()
  }

  private static func page(
    _ rows: [EventRow], next: String?, _ query: SearchQuery, isWholeWords: Bool = false
  ) -> Response {
    var json = JSONOutput()
    json.object {
      $0.array("events") { for row in rows { row.write(to: &$0) } }
      $0.member("next", next)
      query.writeMarks(to: &$0)
      // So many words begin like this that it was not looked for beginnings.
      if isWholeWords { $0.member("wholeWords", true) }
    }
    return json.response()
  }

  private static var noSession: APIError {
    APIError(.notFound, "no_session", "no session with this id")
  }
}

extension CollectorContext {
  /// The path's `{id}`, decoded.
  var sessionId: String {
    let raw = parameters.get("id") ?? ""
    return raw.removingPercentEncoding ?? raw
  }
}
