import AutoMobileState
import Crypto
import Logging

/// All that has to do with people who sign in.
struct SignIn: Sendable {
  let people: PersonSessions
  let links: SignInLinks
  let cookie: SessionCookie
  private let throttle: SignInThrottle
  private let provider: IdentityProvider?
  private let key: SymmetricKey
  private let publicURL: String?
  private let asksForKeys: Bool

  /// - Throws: ``CollectorError/publicURLRequired``, or what the database says.
  init(_ options: CollectorOptions, state: any StateStore, egress: Egress, logger: Logger) throws {
    guard options.identityProvider == nil || options.isLoopback || options.publicURL != nil else {
      throw CollectorError.publicURLRequired
    }
    people = try PersonSessions(state, limits: options.sessions, logger: logger)
    links = SignInLinks(state: state)
    cookie = SessionCookie(publicURL: options.publicURL, speaksTLS: options.tlsCertificate != nil)
    throttle = SignInThrottle(options.sessions)
    provider = options.identityProvider.map { IdentityProvider($0, egress: egress) }
    key = try PendingSignIn.key(in: state)
    publicURL = options.publicURL
    asksForKeys = options.asksForKeys
  }

  /// A link for whoever starts the collector: its path, without the host.
  func link() async throws -> String {
    let person = Person.byLink("Administrator", [.admin])
    return SignInLinks.address(
      try await links.make(person, minutes: SignInLinks.minutes, by: "automobile serve", at: WallClock.now))
  }

  func add(to routes: RouteTable, projects: ProjectStore, bodies: SmallBodies, logger: Logger) {
    SignInRoutes(
      people: people, links: links, provider: provider?.name, throttle: throttle, cookie: cookie,
      asksForKeys: asksForKeys, bodies: bodies, logger: logger
    ).add(to: routes)
    ProviderRoutes(
      provider: provider, people: people, throttle: throttle, cookie: cookie, key: key, publicURL: publicURL,
      bodies: bodies, logger: logger
    ).add(to: routes)
    SignInAdminRoutes(
      people: people, links: links, projects: projects, publicURL: publicURL, bodies: bodies, logger: logger
    ).add(to: routes)
  }
}
