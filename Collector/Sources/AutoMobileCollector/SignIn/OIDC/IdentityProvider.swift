import Foundation
import JWTKit
import Logging

/// A provider of OpenID Connect: where it is asked, what it is asked, and what is believed of its answers.
actor IdentityProvider {
  /// Why nobody can sign in with it at the moment, in words for people.
  struct Unavailable: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// What the provider says of itself (OpenID Connect Discovery).
  private struct Endpoints: Sendable {
    var authorization: String
    var token: String
    var keys: String
    var takesBasic: Bool
    var foundAt: ContinuousClock.Instant
  }

  private static let endpointsLast = Duration.seconds(3600)
  /// Tokens can name keys that nobody has: the provider is not asked for each.
  private static let keysRest = Duration.seconds(60)
  private let now: @Sendable () -> ContinuousClock.Instant
  private static let limits = EgressLimits(connectSeconds: 5, seconds: 10, answerBytes: 256 << 10)

  nonisolated let options: IdentityProviderOptions
  private let egress: Egress
  private var endpoints: Endpoints?
  private var keys = ProviderKeys()
  private var keysAskedAt: ContinuousClock.Instant?

  init(
    _ options: IdentityProviderOptions, egress: Egress,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.now = now
    self.options = options
    self.egress = egress
  }

  /// By which people know it.
  nonisolated var name: String { (try? EgressTarget(options.issuer))?.host ?? options.issuer }

  /// Where the browser goes to sign in.
  ///
  /// - Throws: ``Unavailable``.
  func address(for pending: PendingSignIn, returningTo: String) async throws -> String {
    let endpoint = try await found().authorization
    let query = Self.form([
      ("response_type", "code"), ("client_id", options.clientID), ("redirect_uri", returningTo),
      ("scope", (["openid"] + options.scopes).joined(separator: " ")), ("state", pending.state),
      ("nonce", pending.nonce), ("code_challenge", pending.challenge), ("code_challenge_method", "S256"),
    ])
    return endpoint + (endpoint.contains("?") ? "&" : "?") + query
  }

  /// Who somebody is, by the code with which they came back.
  ///
  /// - Throws: ``Unavailable``, ``IDToken/Untrue``.
  func person(code: String, _ pending: PendingSignIn, returningTo: String) async throws -> Person {
    let token = try await token(code: code, pending, returningTo)
    let header = try IDToken.Header(of: token)
    let claims: JSONTree
    do {
      claims = try await IDToken.verified(token, by: try await key(header.keyID), header.algorithm)
    } catch let error as JWTError {
      throw IDToken.Untrue("its signature is wrong: \(String("\(error)".prefix(200)))")
    }
    let checked = try IDToken(
      checking: claims,
      .init(
        issuer: options.issuer, clientID: options.clientID, nonce: pending.nonce, now: Date().timeIntervalSince1970))
    return person(checked)
  }

  private func person(_ token: IDToken) -> Person {
    let names = ["name", "preferred_username", "email"].compactMap { token.claims[$0]?.string } + [token.subject]
    let name = names.compactMap {
      try? Name.checked(.string(String($0.prefix(Person.longestName))), longest: Person.longestName)
    }
    .first
    let grants = options.rules.filter { $0.fits(token.claims) }.map(\.grant)
    return Person(
      issuer: options.issuer, subject: token.subject, name: name ?? token.subject, grants: Array(Set(grants)))
  }

  // MARK: Asking it

  private func token(code: String, _ pending: PendingSignIn, _ returningTo: String) async throws -> String {
    let endpoints = try await found()
    var fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returningTo),
      ("code_verifier", pending.verifier),
    ]
    var headers = [
      ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"), Egress.userAgent,
    ]
    switch options.clientSecret {
    case let secret? where endpoints.takesBasic:
      let pair = "\(options.clientID.percentEncoded):\(secret.percentEncoded)"
      headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    case let secret?: fields += [("client_id", options.clientID), ("client_secret", secret)]
    case nil: fields.append(("client_id", options.clientID))
    }
    let answer = try await ask("POST", endpoints.token, headers, Array(Self.form(fields).utf8))
    guard let token = answer["id_token"]?.string else { throw Unavailable("\(name) does not say who somebody is") }
    return token
  }

  private func key(_ id: String?) async throws -> JWK {
    if let key = keys.key(id) { return key }
    let now = now()
    guard keysAskedAt.map({ now - $0 >= Self.keysRest }) ?? true else { throw IDToken.Untrue("its key is not known") }
    keysAskedAt = now
    keys = ProviderKeys(try await ask("GET", try await found().keys))
    guard let key = keys.key(id) else { throw IDToken.Untrue("its key is not known") }
    return key
  }

  private func found() async throws -> Endpoints {
    if let endpoints, now() - endpoints.foundAt < Self.endpointsLast { return endpoints }
    let base = options.issuer.hasSuffix("/") ? String(options.issuer.dropLast()) : options.issuer
    let document = try await ask("GET", base + "/.well-known/openid-configuration")
    guard document["issuer"]?.string == options.issuer else {
      throw Unavailable("\(name) calls itself otherwise than --oidc-issuer does")
    }
    var methods: [String] = []
    if case .array(let named)? = document["token_endpoint_auth_methods_supported"] {
      methods = named.compactMap(\.string)
    }
    let new = Endpoints(
      authorization: try place("authorization_endpoint", document), token: try place("token_endpoint", document),
      keys: try place("jwks_uri", document),
      takesBasic: methods.isEmpty || methods.contains("client_secret_basic"), foundAt: .now)
    endpoints = new
    return new
  }

  /// Of a provider over TLS nothing goes without.
  private func place(_ member: String, _ document: JSONTree) throws -> String {
    guard let text = document[member]?.string, let target = try? EgressTarget(text),
      target.isSecure || !options.issuer.lowercased().hasPrefix("https:")
    else { throw Unavailable("\(name) does not say where its \(member) is") }
    return target.url
  }

  private func ask(
    _ method: String, _ url: String,
    _ headers: [(String, String)] = [("Accept", "application/json"), Egress.userAgent],
    _ body: [UInt8] = []
  ) async throws -> JSONTree {
    let answer: EgressAnswer
    do {
      answer = try await egress.send(method, to: url, headers: headers, body: body, limits: Self.limits)
    } catch let error as EgressError {
      throw Unavailable("\(name) cannot be reached: \(error)")
    }
    let tree = answer.body.withUnsafeReadableBytes { try? JSONTree(checking: $0, maximumDepth: 16) }
    guard answer.isGood, answer.isWhole, let tree else {
      let code = tree?["error"]?.string.map { " (\(String($0.filter { $0.isLetter || $0 == "_" }.prefix(40))))" }
      throw Unavailable("\(name) answered \(answer.status)\(code ?? "")")
    }
    return tree
  }

  private static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
  }
}
