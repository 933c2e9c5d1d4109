import Foundation
import Hummingbird

/// `/api/…`: what viewer, command line and scripts read.
struct QueryRoutes: Sendable {
  let sessions: SessionQuery
  let events: EventQuery
  let launches: LaunchQuery
  let outlines: OutlineQuery

  init(store: EventStore) {
    sessions = SessionQuery(store: store)
    events = EventQuery(store: store)
    launches = LaunchQuery(store: store)
    outlines = OutlineQuery(store: store)
  }

  func add(to routes: RouteTable) {
    routes.get("/api/sessions", for: .reader) { request, _, scope in try await listSessions(request) }
    routes.get("/api/sessions/facets", for: .reader) { request, _, scope in try await facets(request) }
    routes.get("/api/sessions/{id}", for: .reader) { request, context, scope in try await session(context.sessionId) }
    routes.get("/api/sessions/{id}/events", for: .reader) { request, context, scope in
      try await timeline(of: context.sessionId, request)
    }
    OutlineRoutes(outlines: outlines).add(to: routes)
    routes.get("/api/events", for: .reader) { request, _, scope in try await search(request) }
    routes.get("/api/launches", for: .reader) { request, _, scope in try await listLaunches(request) }
    routes.get("/api/quarantine", for: .reader) { request, _, scope in try await quarantine(request) }
  }

  private func listSessions(_ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0) }
    let filter = try SessionFilter(request)
    let (rows, isWholeWords) = try await sessions.list(filter, before: before, limit: limit, now: WallClock.now)
    var json = JSONOutput()
    json.object {
      $0.array("sessions") { for row in rows { $0.object { row.writeMembers(to: &$0) } } }
      let next = rows.count == limit ? rows.last.map { PageCursor(key: $0.key, id: $0.row).text } : nil
      $0.member("next", next)
      if isWholeWords { $0.member("wholeWords", true) }
    }
    return json.response()
  }

  private func facets(_ request: Request) async throws -> Response {
    let facets = try await sessions.facets(SessionFilter(request), now: WallClock.now)
    var json = JSONOutput()
    json.object { facets.writeMembers(to: &$0) }
    return json.response()
  }

  private func session(_ id: String) async throws -> Response {
    guard let (session, launches) = try await sessions.session(id, now: WallClock.now) else { throw Self.noSession }
    var json = JSONOutput()
    json.object {
      session.writeMembers(to: &$0)
      $0.array("launchLedgers") { for launch in launches { launch.write(to: &$0) } }
    }
    return json.response()
  }

  private func timeline(of id: String, _ request: Request) async throws -> Response {
    if let ids = try OutlineRoutes.ids(request) { return Self.page(try await outlines.events(ids, of: id), next: nil) }
    let limit = try request.limit(default: 500)
    let after = try request.parameter("after").map { try PageCursor($0) }
    let rows = try await events.timeline(of: id, after: after, limit: limit, filter: request.eventFilter)
    guard let rows else { throw Self.noSession }
    let next = rows.count == limit ? rows.last.map { PageCursor(key: $0.timestamp, id: $0.id).text } : nil
    return Self.page(rows, next: next)
  }

  private func search(_ request: Request) async throws -> Response {
    let limit = try request.limit(default: 100)
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let found = try await events.newest(before: before, limit: limit, filter: request.eventFilter)
    let next = found.next.map { PageCursor(key: 0, id: $0).text }
    return Self.page(found.events, next: next, isWholeWords: found.isWholeWords)
  }

  private func listLaunches(_ request: Request) async throws -> Response {
    let limit = try request.limit(default: 100)
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let rows = try await launches.list(before: before, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.array("launches") { for row in rows { row.write(to: &$0) } }
      $0.member("next", rows.count == limit ? rows.last.map { PageCursor(key: 0, id: $0.row).text } : nil)
    }
    return json.response()
  }

  private func quarantine(_ request: Request) async throws -> Response {
    let rows = try await launches.quarantine(limit: request.limit(default: 100))
    var json = JSONOutput()
    json.object { $0.array("quarantine") { for row in rows { row.write(to: &$0) } } }
    return json.response()
  }

  private static func page(_ rows: [EventRow], next: String?, isWholeWords: Bool = false) -> Response {
    var json = JSONOutput()
    json.object {
      $0.array("events") { for row in rows { row.write(to: &$0) } }
      $0.member("next", next)
      // So many words begin like this that it was not looked for beginnings.
      if isWholeWords { $0.member("wholeWords", true) }
    }
    return json.response()
  }

  private static var noSession: APIError {
    APIError(.notFound, "no_session", "there is no session of this name")
  }
}

extension CollectorContext {
  /// The path's `{id}`, decoded.
  var sessionId: String {
    let raw = parameters.get("id") ?? ""
    return raw.removingPercentEncoding ?? raw
  }
}
