import Hummingbird

/// Knows who somebody is by what they present; what they may do is beside the scopes that it gives out.
///
/// On loopback everybody on this machine may do everything, unless the collector was started with keys, stands behind a proxy or
/// lets people sign in; whoever presents a key that is known is taken at its word all the same. An ingest key is no secret for long, since it is inside of every
/// copy of an app: it delivers for that app and reads nothing. What changes how apps behave (configuration, commands),
/// what other programs read (symbols), who gets in (projects, keys) and what is kept asks for an operator's key as soon as
/// other machines can get here.
struct Doorkeeper: Sendable {
  /// Those that it was started with: they deliver for all apps, and read.
  let keys: [IngestKey]
  /// Good for everything.
  let operatorKeys: [IngestKey]
  /// Those that operators made later.
  let projects: ProjectStore
  let tokens: UploadTokens
  /// Other machines can get here (``CollectorOptions/isReachable``).
  let isReachable: Bool
  /// What keys have had; nil: nothing is counted.
  var meters: DeliveryMeters?
  /// Who has signed in; nil: nobody can.
  var people: PersonSessions?
  var cookie = SessionCookie(publicURL: nil)

  /// Other machines can get here, or it was started with a key.
  var asksForKeys: Bool { !keys.isEmpty || isReachable }

  func visitor(_ request: Request) throws -> Visitor {
    let now = WallClock.now
    guard let presented = Visitor.presented(request) else {
      // A key that a program sends stands above what a browser sends by itself. A session that is over is nobody's.
      return cookie.secret(in: request).flatMap { people?.session($0, at: now) }.map(Visitor.person) ?? .nobody
    }
    if presented.hasPrefix(UploadTokens.prefix) {
      // A token is good as long as the key that it was given out for.
      guard let claim = tokens.claim(presented, at: now),
        claim.key.map({ projects.isGood(key: $0, at: now) }) ?? true
      else {
        throw APIError(.unauthorized, "token_expired", "the upload token has expired: request another one")
      }
      return .device(claim)
    }
    if let key = projects.key(presented, at: now) { return .key(key) }
    if operatorKeys.match(presented) { return .starter(isOperator: true) }
    return keys.match(presented) ? .starter(isOperator: false) : .stranger
  }
}
