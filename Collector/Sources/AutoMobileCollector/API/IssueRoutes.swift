import Foundation
import Hummingbird

/// `/api/issues`: reports of one problem, counted together.
struct IssueRoutes: Sendable {
  let issues: IssueQuery

  func add(to router: Router<CollectorContext>) {
    router.get("/api/issues") { request, _ in try await list(request) }
    router.get("/api/reports") { request, _ in try await reports(request) }
    router.get("/api/issues/{id}") { _, context in try await issue(context) }
  }

  private func list(_ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0) }
    let filter = IssueQuery.Filter(
      kinds: request.kinds, version: request.parameter("version"), bundleId: request.parameter("bundleId"),
      search: request.parameter("q").flatMap(SearchPattern.init))
    let rows = try await issues.list(filter, before: before, limit: limit, now: Self.now)
    var json = JSONOutput()
    json.object {
      $0.array("issues") { for row in rows { $0.object { row.writeMembers(to: &$0) } } }
      let next = rows.count == limit ? rows.last.map { PageCursor(key: $0.last ?? 0, id: $0.row).text } : nil
      $0.member("next", next)
    }
    return json.response()
  }

  private func issue(_ context: CollectorContext) async throws -> Response {
    let id = context.parameters.get("id") ?? ""
    guard let (issue, reports) = try await issues.issue(id, now: Self.now) else {
      throw APIError(.notFound, "no_issue", "there is no issue of this name")
    }
    var json = JSONOutput()
    json.object {
      issue.writeMembers(to: &$0)
      $0.array("reports") { for report in reports { $0.object { report.writeMembers(to: &$0) } } }
    }
    return json.response()
  }

  private func reports(_ request: Request) async throws -> Response {
    let limit = try request.limit(default: 50)
    let before = try request.parameter("before").map { try PageCursor($0).id }
    let rows = try await issues.reports(kinds: request.kinds, before: before, limit: limit)
    var json = JSONOutput()
    json.object {
      $0.array("reports") { for row in rows { row.write(to: &$0) } }
      $0.member("next", rows.count == limit ? rows.last.map { PageCursor(key: 0, id: $0.report.event).text } : nil)
    }
    return json.response()
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension Request {
  /// `kind`: several with commas.
  fileprivate var kinds: [String] {
    (parameter("kind") ?? "").split(separator: ",").prefix(8).map(String.init)
  }
}
