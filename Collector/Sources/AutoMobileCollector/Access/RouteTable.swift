import HTTPTypes
import Hummingbird

/// Where routes are added. Each says who may use it, and the decision is taken on what the router matched: no other
/// spelling of a path leads past it.
final class RouteTable {
  typealias Handler<Scope> = @Sendable (Request, CollectorContext, Scope) async throws -> Response

  /// In the order in which they were added.
  private(set) var entries: [Route] = []
  /// Nothing is added to it but here.
  let router: Router<CollectorContext>
  private let doorkeeper: Doorkeeper
  private let clients: Clients
  private let answers: AnswerBudget
  private let shares: RequestShares
  /// Where who did what is written down; nil: nowhere.
  private let audit: AuditLog?

  init(
    _ router: Router<CollectorContext>, doorkeeper: Doorkeeper, clients: Clients, answers: AnswerBudget,
    shares: RequestShares, audit: AuditLog? = nil
  ) {
    self.audit = audit
    self.router = router
    self.shares = shares
    self.doorkeeper = doorkeeper
    self.clients = clients
    self.answers = answers
  }

  func get<Scope>(_ path: String, for access: Access<Scope>, use handler: @escaping Handler<Scope>) {
    add(.get, path, access, handler)
  }

  func head<Scope>(_ path: String, for access: Access<Scope>, use handler: @escaping Handler<Scope>) {
    add(.head, path, access, handler)
  }

  func post<Scope>(_ path: String, for access: Access<Scope>, use handler: @escaping Handler<Scope>) {
    add(.post, path, access, handler)
  }

  func put<Scope>(_ path: String, for access: Access<Scope>, use handler: @escaping Handler<Scope>) {
    add(.put, path, access, handler)
  }

  func delete<Scope>(_ path: String, for access: Access<Scope>, use handler: @escaping Handler<Scope>) {
    add(.delete, path, access, handler)
  }

  private func add<Scope>(
    _ method: HTTPRequest.Method, _ path: String, _ access: Access<Scope>, _ handler: @escaping Handler<Scope>
  ) {
    entries.append(Route(method: method.rawValue, path: path, access: access.word))
    let answer: @Sendable (Request, CollectorContext) async throws -> Response = {
      [doorkeeper, clients, answers, shares] request, context in
      try Origin.check(request, for: access.word)
      var context = context
      let visitor = try doorkeeper.visitor(request)
      context.audit.set(visitor)
      context.key = visitor.key
      context.session = visitor.session
      if visitor.session != nil, method != .get, method != .head { try Origin.checkViewer(request) }
      let scope = try access.scope(doorkeeper, visitor) {
        context.channel.map(clients.presence) ?? ClientPresence()
      }
      if let key = visitor.keyNumber { try doorkeeper.meters?.admit(key: key, owner: access.owner(scope)) }
      if let share = access.share(scope) {
        return try await shares.with(share) { [context] in try await handler(request, context, scope) }
      }
      guard access.word == .reader || access.word == .fullReader else {
        return try await handler(request, context, scope)
      }
      guard let channel = context.channel else { return try await handler(request, context, scope) }
      try answers.check()
      return try await answers.counting(handler(request, context, scope), on: channel)
    }
    guard let audit, let rule = AuditRule(method.rawValue, path, access.word) else {
      router.on(RouterPath(path), method: method, use: answer)
      return
    }
    let auditor = Auditor(log: audit, rule: rule)
    router.on(RouterPath(path), method: method) { request, context in
      try await auditor.noting(request, context) { try await answer(request, context) }
    }
  }
}

/// A route, as the table lists it.
public struct Route: Sendable, Equatable {
  /// `GET`, `POST` …
  public let method: String
  /// `/api/sessions/{id}`: what stands in braces is a name.
  public let path: String
  public let access: AccessWord
}
