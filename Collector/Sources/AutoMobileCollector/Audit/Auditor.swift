import AutoMobileState
import HTTPTypes
import Hummingbird

/// Writes down what becomes of a route's requests.
struct Auditor: Sendable {
  let log: AuditLog
  let rule: AuditRule

  /// - Parameter context: what handlers say of their request is said to its note.
  func noting(
    _ request: Request, _ context: CollectorContext, _ body: () async throws -> Response
  ) async throws -> Response {
    do {
      let response = try await body()
      note(request, context, status: response.status.code)
      return response
    } catch {
      let answer = (error as? StateError)?.answer ?? error as? APIError
      note(
        request, context, status: answer?.status.code ?? 500, mayBeKept: answer?.code == StateError.unknownCode)
      throw error
    }
  }

  private func note(_ request: Request, _ context: CollectorContext, status: Int, mayBeKept: Bool = false) {
    let isRefused = status == 401 || status == 403 || status == 429
    // What went wrong otherwise has shown nothing and changed nothing; but for a change that may have been kept.
    let isDone = status < 400 || mayBeKept && rule.action == .change
    // A list of one session's events is that session.
    let session = request.parameter("session")
    guard isRefused || isDone, isRefused || !rule.isOnlyRefusals || session != nil else { return }
    let note = context.audit
    let thing =
      note.thing ?? context.parameters.get("id") ?? context.parameters.get("bundle") ?? session
    let visitor = note.visitor
    var context = context
    (context.key, context.session) = (visitor?.key, visitor?.session)
    log.note(
      AuditEntry(
        at: WallClock.now, who: Self.short(note.who ?? context.author(request)), by: visitor?.mark ?? "none",
        address: context.remoteAddress, action: isRefused ? .refused : rule.action, route: rule.route,
        thing: thing.map(Self.short), status: status))
  }

  /// Names come from strangers, and are as long as these like.
  private static func short(_ text: String) -> String { String((text.removingPercentEncoding ?? text).prefix(200)) }
}

extension Visitor {
  /// What somebody is known by, in a word or two.
  var mark: String {
    switch self {
    case .nobody: "none"
    case .stranger: "unknown key"
    case .starter(let isOperator): isOperator ? "start operator key" : "start key"
    case .key(let key): "key \(key.id)"
    case .person(let session): "person \(session.person.issuer) \(session.person.subject)"
    case .device: "upload token"
    }
  }
}
