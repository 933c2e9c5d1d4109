import Foundation
import Hummingbird

/// `/api/issues`: reports of one problem, counted together.
struct IssueRoutes: Sendable {
  let issues: IssueQuery
  let states: IssueStates
  let bodies: SmallBodies

  init(issues: IssueQuery, states: IssueStates, limits: CollectorLimits) {
    self.issues = issues
    self.states = states
    bodies = SmallBodies(limits, bytes: 4096)
  }

  func add(to routes: RouteTable) {
    routes.get("/api/issues", for: .reader) { request, _, scope in try await list(scope, request) }
    routes.get("/api/reports", for: .reader) { request, _, scope in try await reports(scope, request) }
    routes.get("/api/issues/{id}", for: .reader) { _, context, scope in try await issue(scope, context) }
    routes.put("/api/issues/{id}/status", for: .operator) { request, context, scope in
      try await decide(scope, request, context)
    }
  }

  private func list(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0) }
    var filter = IssueQuery.Filter(
      kinds: request.kinds, version: request.parameter("version"),
      bundleId: request.parameter("bundleId") ?? request.parameter("app"),
      query: try SearchQuery(request.parameter("q") ?? "", in: .issues))
    if let text = request.parameter("status"), text != "all" {
      filter.regressed = text == "regressed"
      filter.status = filter.regressed ? .open : IssueStatus(rawValue: text)
      guard filter.status != nil else {
        throw APIError.badRequest("invalid_status", "status is open, regressed, resolved, ignored or all")
      }
    }
    if let text = request.parameter("sort") {
      guard let order = IssueQuery.Order(rawValue: text) else {
        throw APIError.badRequest("invalid_sort", "sort is last, first, count or sessions")
      }
      filter.order = order
    }
    let page = try await issues.list(scope, filter, before: before, limit: limit, now: WallClock.now)
    var json = JSONOutput()
    json.object {
      $0.array("issues") { for row in page.rows { $0.object { row.writeMembers(to: &$0) } } }
      $0.member("next", page.next { $0.cursor(filter.order) })
      filter.query.writeMarks(to: &$0)
    }
    return json.response()
  }

  /// `{"status": "resolved"}`, also with `"version": "2.4"` in which it is resolved, or `"after": "2.3"`.
  private func decide(
    _ scope: OperatorScope, _ request: Request, _ context: CollectorContext
  ) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    guard let status = body["status"]?.string.flatMap(IssueStatus.init) else {
      throw APIError.badRequest("invalid_status", "status is open, resolved or ignored")
    }
    let version = try Self.version("version", body)
    let after = try Self.version("after", body)
    let isKnown = try await states.set(
      status, of: context.parameters.get("id") ?? "", fix: version.map { .from($0) } ?? after.map { .after($0) },
      by: context.author(request),
      at: WallClock.now)
    guard isKnown else { throw APIError(.notFound, "no_issue", "no issue with this id") }
    return try await issue(scope.reading, context)
  }

  private static func version(_ name: String, _ body: JSONTree) throws -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let text = value.string, (1...100).contains(text.utf8.count), !text.hasPrefix(">") else {
      throw APIError.badRequest("invalid_version", "\(name) is a version, of 1 to 100 characters")
    }
    return text
  }

  private func issue(_ scope: ReadScope, _ context: CollectorContext) async throws -> Response {
    let id = context.parameters.get("id") ?? ""
    guard let (issue, reports) = try await issues.issue(scope, id, now: WallClock.now) else {
      throw APIError(.notFound, "no_issue", "no issue with this id")
    }
    var json = JSONOutput()
    json.object {
      issue.writeMembers(to: &$0)
      $0.array("reports") { for report in reports { $0.object { report.writeMembers(to: &$0) } } }
    }
    return json.response()
  }

  private func reports(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let page = try await issues.reports(scope, kinds: request.kinds, before: before, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.array("reports") { for row in page.rows { row.write(to: &$0) } }
      $0.member("next", page.next { PageCursor(key: 0, id: $0.report.event) })
    }
    return json.response()
  }
}

extension Request {
  /// `kind`: several with commas.
  fileprivate var kinds: [String] {
    (parameter("kind") ?? "").split(separator: ",").prefix(8).map(String.init)
  }
}
