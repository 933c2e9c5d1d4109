import AutoMobileState
import Foundation
import Hummingbird

/// `/api/issues`: reports of one problem, counted together.
struct IssueRoutes: Sendable {
  let issues: any IssueReading
  let states: IssueStates
  let notes: IssueNotes
  let merges: IssueMerges
  let bodies: SmallBodies
  /// There are reports to be looked at again.
  let onSplit: @Sendable () -> Void

  /// - Parameters:
  ///   - store: has the state, or a copy of what of it is read together with issues.
  ///   - elsewhere: whether issues are elsewhere than in it.
  init(
    _ issues: any IssueReading & IssueDirectory, store: EventStore, elsewhere: Bool, limits: CollectorLimits,
    onSplit: @escaping @Sendable () -> Void
  ) {
    self.onSplit = onSplit
    self.issues = issues
    states = IssueStates(store: store, issues: issues)
    notes = IssueNotes(store: store, issues: issues)
    merges = IssueMerges(store: store, elsewhere: elsewhere ? issues : nil)
    bodies = SmallBodies(limits, bytes: Self.longestBody)
  }

  func add(to routes: RouteTable) {
    addReading(to: routes)
    addChanges(to: routes)
  }

  func addReading(to routes: RouteTable) {
    routes.get("/api/issues", for: .reader) { request, _, scope in try await list(scope, request) }
    routes.get("/api/reports", for: .reader) { request, _, scope in try await reports(scope, request) }
    routes.get("/api/issues/{id}", for: .reader) { _, context, scope in try await issue(scope, context) }
  }

  private func list(_ scope: ReadScope, _ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0) }
    var filter = IssueQuery.Filter(
      kinds: request.kinds, version: request.parameter("version"),
      bundleId: request.parameter("bundleId") ?? request.parameter("app"),
      query: try SearchQuery(request.parameter("q") ?? "", in: .issues))
    filter.assignee = request.parameter("assignee")
    if let text = request.parameter("status"), text != "all" {
      filter.regressed = text == "regressed"
      filter.status = filter.regressed ? .open : IssueStatus(rawValue: text)
      guard filter.status != nil else {
        throw APIError.badRequest("invalid_status", "status must be open, regressed, resolved, ignored or all")
      }
      // Lists begin with it; a search that says which ones it wants says more.
      if text == "open", filter.query.asks("status") { filter.status = nil }
    }
    if let text = request.parameter("sort") {
      guard let order = IssueQuery.Order(rawValue: text) else {
        throw APIError.badRequest("invalid_sort", "sort must be last, first, count or sessions")
      }
      filter.order = order
    }
    let page = try await issues.list(scope, filter, before: before, limit: limit, now: WallClock.now)
    var json = JSONOutput()
    json.object {
      $0.array("issues") { for row in page.rows { $0.object { row.writeMembers(to: &$0) } } }
      $0.member("next", page.next { $0.cursor(filter.order) })
      // What of it was heeded.
      $0.member("status", filter.regressed ? "regressed" : filter.status?.rawValue ?? "all")
      filter.query.writeMarks(to: &$0)
    }
    return json.response()
  }

  func issue(_ scope: ReadScope, _ context: CollectorContext) async throws -> Response {
    guard let answer = try await issues.issue(scope, context.issueName, now: WallClock.now) else { throw Self.noIssue }
    var json = JSONOutput()
    json.object { answer.writeMembers(to: &$0) }
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
