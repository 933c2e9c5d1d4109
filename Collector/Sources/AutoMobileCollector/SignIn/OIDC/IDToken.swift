import Foundation
import JWTKit

/// What a provider says about somebody: signed claims (OpenID Connect Core, 2 and 3.1.3.7).
struct IDToken: Sendable {
  /// Signatures by keys of which only the provider has the private half. `none` and those with a shared secret are not
  /// among them: a public key as secret is known to everybody.
  static let algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
  static let longest = 32 << 10
  /// Clocks differ, in seconds.
  static let leeway = 60.0

  /// Why a token is not believed. For the log; people are told less.
  struct Untrue: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// What it says before anything is believed: which key it claims to be signed with.
  struct Header: Sendable {
    let algorithm: String
    let keyID: String?

    /// - Throws: ``Untrue``.
    init(of token: String) throws {
      let parts = token.split(separator: ".", omittingEmptySubsequences: false)
      guard token.utf8.count <= IDToken.longest, parts.count == 3, let bytes = IDToken.bytes(parts[0]),
        let header = try? bytes.withUnsafeBytes({ try JSONTree(checking: $0, maximumDepth: 4) })
      else { throw Untrue("it is no signed token") }
      guard let algorithm = header["alg"]?.string, IDToken.algorithms.contains(algorithm) else {
        throw Untrue("it is signed by an algorithm that is not taken: \(header["alg"]?.text ?? "none")")
      }
      // What must be understood, and is not.
      guard header["crit"] == nil else { throw Untrue("it has extensions that are not known") }
      self.algorithm = algorithm
      keyID = header["kid"]?.string
    }
  }

  let claims: JSONTree
  let subject: String

  /// For whom it must be, from whom, and for which sign-in.
  struct Expected: Sendable {
    var issuer: String
    var clientID: String
    var nonce: String
    /// Seconds since 1970.
    var now: Double
  }

  /// - Parameter claims: the signature is right.
  /// - Throws: ``Untrue``.
  init(checking claims: JSONTree, _ expected: Expected) throws {
    guard claims["iss"]?.string == expected.issuer else { throw Untrue("it is of another issuer") }
    let audience: [String?] =
      switch claims["aud"] {
      case .string(let one): [one]
      case .array(let several): several.map(\.string)
      default: []
      }
    guard audience.contains(expected.clientID) else { throw Untrue("it is for somebody else") }
    let party = claims["azp"]
    guard audience.count == 1 || party != nil, party == nil || party?.string == expected.clientID else {
      throw Untrue("it was given to somebody else")
    }
    guard let end = claims["exp"]?.number, expected.now < end + Self.leeway else { throw Untrue("it has expired") }
    guard let issued = claims["iat"]?.number, issued <= expected.now + Self.leeway else {
      throw Untrue("it is from the future")
    }
    if let start = claims["nbf"] {
      guard let start = start.number, start <= expected.now + Self.leeway else { throw Untrue("it is not valid yet") }
    }
    guard claims["nonce"]?.string == expected.nonce else { throw Untrue("it is of another sign-in") }
    guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
      throw Untrue("it does not say who somebody is")
    }
    self.claims = claims
    self.subject = subject
  }

  /// The claims of a token whose signature is that key's.
  ///
  /// - Throws: what is wrong with the key or the signature.
  static func verified(_ token: String, by key: JWK, _ algorithm: String) async throws -> JSONTree {
    guard let named = JWK.Algorithm(rawValue: algorithm), key.algorithm == nil || key.algorithm == named else {
      throw Untrue("its algorithm is not its key's")
    }
    var key = key
    key.algorithm = named
    key.keyIdentifier = "key"
    let keys = JWTKeyCollection()
    try await keys.add(jwk: key, isDefault: true)
    return try await keys.verify(token, as: Claims.self).tree
  }

  private struct Claims: JWTPayload {
    let tree: JSONTree

    init(from decoder: any Decoder) throws { tree = try JSONTree(from: decoder) }
    func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
    /// They are looked at by ``IDToken/init(checking:_:)``, which knows what they must be.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  /// Base64 for URLs, without padding.
  private static func bytes(_ text: Substring) -> Data? {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }
}
