import Foundation
import Hummingbird

/// What operators change about one issue. Each answers with the issue as it is then, or only that it is kept.
extension IssueRoutes {
  static let longestComment = 4000
  static let longestName = 80
  static let longestLink = 2000
  static let longestVersion = 100
  /// Merged at once.
  static let mostMerged = 50
  /// Of a request, in bytes.
  static let longestBody = 20_000

  func addChanges(to routes: RouteTable) {
    routes.put("/api/issues/{id}/status", for: .projectOperator) { request, context, scope in
      try await check(scope, [context.issueName])
      return try await decide(scope, request, context)
    }
    routes.post("/api/issues/{id}/undo", for: .projectOperator) { request, context, scope in
      try await check(scope, [context.issueName])
      guard try await states.undo(context.issueName, by: context.author(request), at: WallClock.now) else {
        throw Self.noIssue
      }
      return await changed(scope, context)
    }
    routes.put("/api/issues/{id}/assignee", for: .projectOperator) { request, context, scope in
      try await check(scope, [context.issueName])
      let name = try Self.text("assignee", try await bodies.json(request, maximumDepth: 4), most: Self.longestName)
      guard try await notes.assign(context.issueName, to: name, by: context.author(request), at: WallClock.now) else {
        throw Self.noIssue
      }
      return await changed(scope, context)
    }
    routes.put("/api/issues/{id}/link", for: .projectOperator) { request, context, scope in
      try await check(scope, [context.issueName])
      let link = try Self.text("link", try await bodies.json(request, maximumDepth: 4), most: Self.longestLink)
      guard link.map(TrackerTemplate.isAddress) ?? true else {
        throw APIError.badRequest("invalid_link", "link must begin with https:// or http://, or be null")
      }
      guard try await notes.link(context.issueName, to: link, by: context.author(request), at: WallClock.now) else {
        throw Self.noIssue
      }
      return await changed(scope, context)
    }
    routes.post("/api/issues/{id}/comments", for: .projectOperator) { request, context, scope in
      try await check(scope, [context.issueName])
      let body = try await bodies.json(request, maximumDepth: 4)
      guard let text = try Self.text("text", body, most: Self.longestComment, isOneLine: false) else {
        throw APIError.badRequest(
          "invalid_text", "text must have 1 to \(Self.longestComment) characters")
      }
      guard try await notes.comment(context.issueName, text, by: context.author(request), at: WallClock.now) else {
        throw Self.noIssue
      }
      return await changed(scope, context)
    }
    routes.post("/api/issues/{id}/merge", for: .projectOperator) { request, context, scope in
      guard case .array(let list)? = try await bodies.json(request, maximumDepth: 4)["issues"],
        (1...Self.mostMerged).contains(list.count), case let names = list.compactMap(\.string),
        names.count == list.count
      else {
        throw APIError.badRequest(
          "invalid_issues", "issues must be a list of 1 to \(Self.mostMerged) issue ids: {\"issues\": [\"4f1c…\"]}")
      }
      try await check(scope, [context.issueName] + names) { Self.noIssue($0) }
      try await merges.merge(names, into: context.issueName, by: context.author(request), at: WallClock.now)
      return await changed(scope, context)
    }
    routes.post("/api/issues/{id}/split", for: .projectOperator) { request, context, scope in
      guard let part = try await bodies.json(request, maximumDepth: 4)["issue"]?.string else {
        throw APIError.badRequest("invalid_issue", "issue must be the id of one that was merged into this one")
      }
      try await check(scope, [context.issueName]) { Self.noIssue($0) }
      try await merges.split(part, from: context.issueName, by: context.author(request), at: WallClock.now)
      onSplit()
      return await changed(scope, context)
    }
  }

  /// Has an operator of some projects change the issues of these only; others are as unknown as those that there are not.
  private func check(
    _ scope: OperatorScope, _ names: [String], or unknown: (String) -> APIError = { _ in noIssue }
  ) async throws {
    guard !scope.reading.seesEverything else { return }
    for name in names where try await !issues.exists(scope.reading, name) { throw unknown(name) }
  }

  /// The issue as it is then. What was decided is kept by now: where the issue cannot be read at this moment, that is what is answered.
  private func changed(_ scope: OperatorScope, _ context: CollectorContext) async -> Response {
    do {
      return try await issue(scope.reading, context)
    } catch {
      context.logger.warning(
        "an issue cannot be shown after it was changed",
        metadata: ["issue": "\(context.issueName)", "error": "\(error)"])
      return JSONOutput.ok { $0.member("id", context.issueName) }
    }
  }

  /// `{"status": "resolved"}`, also with `"version": "2.4"` in which it is resolved, or `"after": "2.3"`.
  private func decide(
    _ scope: OperatorScope, _ request: Request, _ context: CollectorContext
  ) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    guard let status = body["status"]?.string.flatMap(IssueStatus.init) else {
      throw APIError.badRequest("invalid_status", "status must be open, resolved or ignored")
    }
    let version = try Self.version("version", body)
    let after = try Self.version("after", body)
    let isKnown = try await states.set(
      status, of: context.issueName, fix: version.map { .from($0) } ?? after.map { .after($0) },
      by: context.author(request), at: WallClock.now)
    guard isKnown else { throw Self.noIssue }
    return await changed(scope, context)
  }

  private static func version(_ name: String, _ body: JSONTree) throws -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let text = value.string, (1...longestVersion).contains(text.utf8.count), !text.hasPrefix(">"),
      !text.hasControlCharacters
    else {
      throw APIError.badRequest("invalid_version", "\(name) is a version, of 1 to \(longestVersion) characters")
    }
    return text
  }

  /// A member that may be null, or empty, which is the same.
  private static func text(_ name: String, _ body: JSONTree, most: Int, isOneLine: Bool = true) throws -> String? {
    guard let value = body[name] else {
      throw APIError.badRequest("invalid_\(name)", "send {\"\(name)\": …}, with a text or null")
    }
    if value.isNull { return nil }
    let text = value.string?.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let text, text.count <= most,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 && (isOneLine || $0 != "\n") || $0.value == 0x7F })
    else {
      throw APIError.badRequest(
        "invalid_\(name)", "\(name) is a text of at most \(most) characters\(isOneLine ? ", on one line" : "")")
    }
    return text.isEmpty ? nil : text
  }

  static func noIssue(_ name: String) -> APIError {
    APIError(.notFound, "no_issue", "no issue with id \(String(name.prefix(60)))")
  }

  static var noIssue: APIError { APIError(.notFound, "no_issue", "no issue with this id") }
}

extension CollectorContext {
  /// The path's `{id}`, of an issue.
  var issueName: String { parameters.get("id") ?? "" }
}
