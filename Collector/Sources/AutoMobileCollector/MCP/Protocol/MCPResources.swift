import Foundation

/// Sessions and issues by address: `automobile://sessions/ID`, `automobile://issues/ID`.
struct MCPResources: Sendable {
  let api: AskedAPI

  private static let sessions = "automobile://sessions/"
  private static let issues = "automobile://issues/"
  private static let requests = "automobile://requests/"
  private static let page = 50

  static let templates: [JSONTree] = [
    template(sessions + "{id}", "session", "A session", "One session: who, on what, how it ended, what is in it"),
    template(issues + "{id}", "issue", "An issue", "A crash, hang or failure with its newest report"),
    template(
      requests + "{event}", "request", "A request", "A request with headers and bodies, by the number of its event"),
  ]

  private static func template(_ address: String, _ name: String, _ title: String, _ summary: String) -> JSONTree {
    [
      "uriTemplate": .string(address), "name": .string(name), "title": .string(title),
      "description": .string(summary), "mimeType": "text/plain",
    ]
  }

  /// The newest sessions first, then issues, page by page.
  func list(_ params: JSONTree) async throws -> JSONTree {
    let cursor = params["cursor"]?.string
    guard cursor.map({ AnswerCursor.isOne($0) && ["s:", "i:"].contains($0.prefix(2)) }) ?? true else {
      throw RPCError(.invalidParams, "this cursor is not from here")
    }
    let isSessions = cursor?.hasPrefix("s:") ?? true
    let place = cursor.map { String($0.dropFirst(2)) }.flatMap { $0.isEmpty ? nil : $0 }
    let name = isSessions ? "sessions" : "issues"
    let answer: JSONTree
    do {
      answer = try await api.get(
        ["api", name],
        [("limit", String(Self.page)), ("before", place), ("status", isSessions ? nil : "all")])
    } catch let refusal as AskedAPI.Refusal {
      throw RPCError(.invalidParams, "the collector refused this (\(refusal.status))")
    }
    var result: [String: JSONTree] = [
      "resources": .array((answer[name]?.elements ?? []).compactMap(isSessions ? Self.session : Self.issue))
    ]
    if let next = answer["next"]?.string {
      result["nextCursor"] = .string((isSessions ? "s:" : "i:") + next)
    } else if isSessions {
      result["nextCursor"] = "i:"
    }
    return .object(result)
  }

  /// Names stand in lists without a frame: an app's own name of a session is there as in an address, without blanks.
  private static func session(_ session: JSONTree) -> JSONTree? {
    guard let id = session["sessionId"]?.string else { return nil }
    return resource(
      sessions + id.percentEncoded, "session " + id.percentEncoded.prefix(80),
      session["first"]?.integer.map { "recorded, begun \(MomentText.text($0))" } ?? "recorded")
  }

  private static func issue(_ issue: JSONTree) -> JSONTree? {
    guard let id = issue["id"]?.string else { return nil }
    return resource(
      issues + id.percentEncoded, "issue " + id.percentEncoded.prefix(80),
      "\(issue["kind"]?.words ?? "issue"), \(issue["count"]?.integer ?? 0) reports")
  }

  private static func resource(_ address: String, _ name: String, _ summary: String) -> JSONTree {
    [
      "uri": .string(address), "name": .string(name), "description": .string(RecordedText.line(summary, most: 120)),
      "mimeType": "text/plain",
    ]
  }

  func read(_ params: JSONTree, _ version: ProtocolVersion) async throws -> JSONTree {
    guard let address = params["uri"]?.string, address.utf8.count <= 2000 else {
      throw RPCError(.invalidParams, "uri is missing: automobile://sessions/ID")
    }
    func name(_ prefix: String) -> String? {
      guard address.hasPrefix(prefix) else { return nil }
      return String(address.dropFirst(prefix.count)).removingPercentEncoding.flatMap { $0.isEmpty ? nil : $0 }
    }
    let answer: ToolAnswer
    do {
      if let id = name(Self.sessions) {
        answer = try await SessionWords.answer(of: id, api)
      } else if let id = name(Self.issues) {
        answer = try await Tool.issueAnswer(id, report: nil, cursor: nil, api)
      } else if let id = name(Self.requests) {
        answer = try await Tool.requestAnswer(id, cursor: nil, api)
      } else {
        throw Self.missing(version)
      }
    } catch let refusal as AskedAPI.Refusal {
      guard [400, 404].contains(refusal.status) else {
        throw RPCError(.invalidParams, "the collector refused this (\(refusal.status))")
      }
      throw Self.missing(version)
    } catch let error as ToolError {
      throw RPCError(.invalidParams, error.words.text)
    }
    return ["contents": [["uri": .string(address), "mimeType": "text/plain", "text": .string(answer.text())]]]
  }

  /// The number for this was another one before.
  private static func missing(_ version: ProtocolVersion) -> RPCError {
    RPCError(version.isStateless ? .invalidParams : .resourceNotFound, "there is no such resource: see resources/list")
  }
}
