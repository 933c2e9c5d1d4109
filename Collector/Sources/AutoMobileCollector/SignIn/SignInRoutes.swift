import HTTPTypes
import Hummingbird
import Logging

/// `/sign-in` and `/api/sign-in…`: how people come in, who they are then, and how they go.
struct SignInRoutes: Sendable {
  let people: PersonSessions
  let links: SignInLinks
  /// By which name people know the identity provider; nil: there is none.
  let provider: String?
  let throttle: SignInThrottle
  let cookie: SessionCookie
  let asksForKeys: Bool
  let bodies: SmallBodies
  let logger: Logger

  func add(to routes: RouteTable) {
    routes.get("/api/sign-in", for: .anyone) { _, context, _ in state(context.session) }
    routes.post("/api/sign-in", for: .anyone) { request, context, _ in try await signIn(request, context) }
    routes.post("/api/sign-out", for: .anyone) { request, context, _ in try await signOut(request, context) }
  }

  /// Which ways in there are, and who asks.
  private func state(_ session: PersonSession?) -> Response {
    let now = WallClock.now
    var json = JSONOutput()
    json.object {
      $0.member("asksForKeys", asksForKeys)
      $0.member("provider", provider)
      $0.name("session")
      if let session { session.write(to: &$0, limits: people.limits) } else { $0.null() }
      $0.array("sessions") {
        guard let session else { return }
        for other in people.list(at: now) where other.person.isSame(as: session.person) {
          other.write(to: &$0, limits: people.limits)
        }
      }
    }
    return json.response().forThisBrowser
  }

  private func signIn(_ request: Request, _ context: CollectorContext) async throws -> Response {
    // Nobody is signed in by another page, as somebody else.
    try Origin.checkViewer(request)
    let now = WallClock.now
    let body = try await bodies.json(request, maximumDepth: 4)
    guard let text = body["token"]?.string else {
      throw APIError.badRequest("invalid_token", "send the token of a link: {\"token\": \"…\"}")
    }
    guard let secret = SignInSecret(text), let person = try await links.take(secret, at: now) else {
      // Who has a link gets in whatever others try: they would keep everybody out, and guess nothing.
      try throttle.check(context.remoteAddress, at: now)
      throttle.failed(context.remoteAddress, at: now)
      logger.notice("a sign-in link was refused", metadata: ["address": "\(context.remoteAddress ?? "")"])
      throw APIError(
        .unauthorized, "wrong_link", "this link has been used already, or has expired: ask for another one")
    }
    let (new, session) = try await people.begin(
      person, insteadOf: cookie.secret(in: request), address: context.remoteAddress,
      browser: request.headers[.userAgent], at: now)
    context.audit.set(who: person.name)
    context.audit.set(thing: person.grants.text)
    logger.notice("somebody signed in", metadata: ["who": "\(person.name)", "grants": "\(person.grants.text)"])
    var response = state(session)
    response.headers[values: .setCookie] = [cookie.set(new, seconds: people.limits.seconds, for: request)]
    return response
  }

  /// Ends the session that asks, another one of the same person, or all of theirs.
  private func signOut(_ request: Request, _ context: CollectorContext) async throws -> Response {
    try Origin.checkViewer(request)
    let body = try await bodies.json(request, maximumDepth: 4)
    var ended = 0
    if let session = context.session {
      let isEverywhere = body["everywhere"]?.bool ?? false
      let id = body["session"]?.integer ?? session.id
      ended = try await people.end { $0.person.isSame(as: session.person) && (isEverywhere || $0.id == id) }
    }
    var response = JSONOutput.ok { $0.member("ended", Int64(ended)) }.forThisBrowser
    // Also of one who is not known any more: the cookie goes.
    if context.session.map({ !people.isGood($0.id, at: WallClock.now) }) ?? true {
      response.headers[values: .setCookie] = [cookie.clear(for: request)]
    }
    return response
  }
}

extension PersonSession {
  /// - Parameter limits: when it is over follows from them.
  func write(to json: inout JSONOutput, limits: SessionLimits) {
    json.object {
      $0.member("id", id)
      $0.member("name", person.name)
      $0.member("issuer", person.issuer)
      $0.member("subject", person.subject)
      $0.array("grants") {
        for grant in person.grants {
          $0.object {
            $0.member("role", grant.role.rawValue)
            $0.member("project", grant.project)
          }
        }
      }
      $0.member("createdAt", createdAt)
      $0.member("lastSeenAt", lastSeenAt)
      $0.member("endsAt", limits.end(of: self))
      $0.member("address", address)
      $0.member("browser", browser)
    }
  }
}

extension Response {
  /// Says who somebody is: nobody keeps it.
  var forThisBrowser: Response {
    var copy = self
    copy.headers[.cacheControl] = "no-store"
    return copy
  }
}
