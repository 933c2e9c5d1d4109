import Hummingbird
import Logging

/// `/api/sign-ins` and `/api/sign-in/links`: who is signed in, and links for others.
struct SignInAdminRoutes: Sendable {
  let people: PersonSessions
  let links: SignInLinks
  let projects: ProjectStore
  let publicURL: String?
  let bodies: SmallBodies
  let logger: Logger

  func add(to routes: RouteTable) {
    routes.get("/api/sign-ins", for: .operator) { _, _, _ in list() }
    routes.delete("/api/sign-ins/{id}", for: .operator) { request, context, _ in
      let id = try context.number
      guard try await people.end(where: { $0.id == id }) > 0 else {
        throw APIError(.notFound, "no_sign_in", "nobody is signed in with this number")
      }
      logger.notice("somebody was signed out", metadata: ["session": "\(id)", "by": "\(context.author(request))"])
      return JSONOutput.ok()
    }
    routes.post("/api/sign-in/links", for: .operator) { request, context, _ in try await make(request, context) }
  }

  private func list() -> Response {
    var json = JSONOutput()
    json.object {
      $0.array("sessions") {
        for session in people.list(at: WallClock.now) { session.write(to: &$0, limits: people.limits) }
      }
    }
    return json.response()
  }

  private func make(_ request: Request, _ context: CollectorContext) async throws -> Response {
    let body = try await bodies.json(request, maximumDepth: 4)
    let grant = try Grant(role: body["role"]?.string ?? Grant.Role.viewer.rawValue, project: body["project"]?.string)
    if let project = grant.project, !projects.apps.contains(project) {
      throw APIError(.notFound, "no_project", "there is no project \(project)")
    }
    let minutes = body["minutes"]?.integer ?? SignInLinks.minutes
    guard (1...SignInLinks.mostMinutes).contains(minutes) else {
      throw APIError.badRequest("invalid_minutes", "minutes must be from 1 to \(SignInLinks.mostMinutes)")
    }
    let author = context.author(request)
    let name = try Name.checked(body["name"] ?? .string(author), longest: Person.longestName)
    let now = WallClock.now
    let secret = try await links.make(.byLink(name, [grant]), minutes: minutes, by: author, at: now)
    context.audit.set(thing: "\(name): \(grant.text)")
    logger.notice(
      "a sign-in link was made", metadata: ["for": "\(name)", "grant": "\(grant.text)", "by": "\(author)"])
    let path = SignInLinks.address(secret)
    return JSONOutput.ok {
      $0.member("path", path)
      $0.member("url", publicURL.map { $0 + path })
      $0.member("name", name)
      $0.member("endsAt", now + minutes * 60_000)
    }.forThisBrowser
  }
}
