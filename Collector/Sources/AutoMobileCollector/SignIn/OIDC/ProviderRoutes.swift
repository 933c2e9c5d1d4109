import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// `/api/sign-in/provider` and `/sign-in/callback`: to the identity provider and back.
struct ProviderRoutes: Sendable {
  let provider: IdentityProvider?
  let people: PersonSessions
  let throttle: SignInThrottle
  let cookie: SessionCookie
  /// Of what browsers carry along.
  let key: SymmetricKey
  let publicURL: String?
  let bodies: SmallBodies
  let logger: Logger

  static let callback = "/sign-in/callback"

  func add(to routes: RouteTable) {
    routes.post("/api/sign-in/provider", for: .anyone) { request, context, _ in try await leave(request, context) }
    routes.get(Self.callback, for: .anyone) { request, context, _ in await arrive(request, context) }
  }

  /// Says where the browser has to go.
  private func leave(_ request: Request, _ context: CollectorContext) async throws -> Response {
    try Origin.checkViewer(request)
    guard let provider else {
      throw APIError(.notFound, "no_provider", "this collector was started without an identity provider")
    }
    try throttle.check(context.remoteAddress, at: WallClock.now)
    let place = try await bodies.json(request, maximumDepth: 4)["place"]?.string ?? ""
    let pending = PendingSignIn(place: place, at: WallClock.now)
    let address: String
    do {
      address = try await provider.address(for: pending, returningTo: try returning(request))
    } catch let error as IdentityProvider.Unavailable {
      logger.warning("the identity provider cannot be asked", metadata: ["why": "\(error)"])
      throw APIError(.badGateway, "provider_unavailable", "\(error)")
    }
    var response = JSONOutput.ok { $0.member("url", address) }.forThisBrowser
    response.headers[values: .setCookie] = [
      cookie.setPending(try pending.sealed(by: key), seconds: PendingSignIn.lifetime, for: request)
    ]
    return response
  }

  /// Where the provider sends the browser, with the code. Whatever went wrong is said on the sign-in page, by a word.
  private func arrive(_ request: Request, _ context: CollectorContext) async -> Response {
    let address = context.remoteAddress
    do {
      let (target, new) = try await person(request, context)
      var response = Self.redirect("../" + target)
      response.headers[values: .setCookie] = [
        cookie.set(new, seconds: people.limits.seconds, for: request), cookie.clearPending(for: request),
      ]
      return response
    } catch {
      let problem = error as? Problem
      // Those cost nothing, and anybody can have them.
      if problem != .denied, problem != .expired { throttle.failed(address, at: WallClock.now) }
      context.audit.set(thing: "refused: \((problem ?? .failed).rawValue)")
      logger.notice(
        "a sign-in was refused", metadata: ["why": "\(problem?.rawValue ?? "\(error)")", "address": "\(address ?? "")"])
      var response = Self.redirect("../sign-in#problem=\((problem ?? .failed).rawValue)")
      response.headers[values: .setCookie] = [cookie.clearPending(for: request)]
      return response
    }
  }

  /// What the page makes sentences of.
  private enum Problem: String, Error {
    /// Who comes back is not who went, or too late.
    case expired
    /// Somebody said no.
    case denied
    /// What the provider says cannot be believed.
    case untrue
    case unavailable
    /// Nothing is granted to them.
    case stranger
    case busy
    case failed
  }

  private func person(_ request: Request, _ context: CollectorContext) async throws -> (String, SignInSecret) {
    let now = WallClock.now
    guard let provider else { throw Problem.unavailable }
    guard (try? throttle.check(context.remoteAddress, at: now)) != nil else { throw Problem.busy }
    let carried = cookie.pending(in: request).flatMap { PendingSignIn(sealed: $0, by: key, at: now) }
    guard let pending = carried, let state = request.parameter("state"), IngestKey(pending.state).matches(state) else {
      throw Problem.expired
    }
    // Which provider answers, where it says so (RFC 9207).
    if let issuer = request.parameter("iss"), issuer != provider.options.issuer { throw Problem.untrue }
    guard let code = request.parameter("code"), code.utf8.count <= 4096 else {
      throw request.parameter("error") == "access_denied" ? Problem.denied : Problem.failed
    }
    let person: Person
    do {
      person = try await provider.person(code: code, pending, returningTo: try returning(request))
    } catch let error as IDToken.Untrue {
      logger.warning("an identity token is not believed", metadata: ["why": "\(error)"])
      throw Problem.untrue
    } catch let error as IdentityProvider.Unavailable {
      logger.warning("the identity provider cannot be asked", metadata: ["why": "\(error)"])
      throw Problem.unavailable
    }
    context.audit.set(who: person.name)
    context.audit.set(thing: "\(person.issuer) \(person.subject)")
    guard !person.grants.isEmpty else { throw Problem.stranger }
    let (new, _) = try await people.begin(
      person, insteadOf: cookie.secret(in: request), address: context.remoteAddress,
      browser: request.headers[.userAgent], at: now)
    logger.notice("somebody signed in", metadata: ["who": "\(person.name)", "grants": "\(person.grants.text)"])
    return (pending.place, new)
  }

  /// The one place to which the provider sends people back. On loopback the gate has looked at the host name.
  ///
  /// - Throws: ``APIError``.
  private func returning(_ request: Request) throws -> String {
    if let publicURL { return publicURL + Self.callback }
    guard let authority = request.head.authority else { throw APIError.badRequest("invalid_host", "there is no host") }
    return "http://" + authority + Self.callback
  }

  private static func redirect(_ target: String) -> Response {
    Response(
      status: .seeOther,
      headers: [.location: target, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
  }
}

extension SessionCookie {
  /// On the way back from another site: that is a link there, so that only `Lax` comes along.
  private func pendingAttributes(_ request: Request) -> String { "Path=/; HttpOnly; SameSite=Lax" + secure(request) }

  private func pendingName(_ request: Request) -> String { name(for: request) + "-provider" }

  func setPending(_ sealed: String, seconds: Int64, for request: Request) -> String {
    "\(pendingName(request))=\(sealed); \(pendingAttributes(request)); Max-Age=\(seconds)"
  }

  func clearPending(for request: Request) -> String {
    "\(pendingName(request))=; \(pendingAttributes(request)); Max-Age=0"
  }

  func pending(in request: Request) -> String? {
    let values = Self.values(of: pendingName(request), in: request)
    return values.count == 1 ? values[0] : nil
  }
}
