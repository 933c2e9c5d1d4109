import Foundation

/// A provider of OpenID Connect with which people sign in, and what they are granted.
public struct IdentityProviderOptions: Sendable {
  /// As the provider says it itself, character by character: `https://id.example.com`.
  public let issuer: String
  public let clientID: String
  /// Nil: the provider knows the collector as a public client.
  public let clientSecret: String?
  let rules: [ClaimRule]
  /// What is asked for beside `openid`.
  public var scopes = ["profile", "email"]

  /// - Parameters:
  ///   - issuer: https, or http on this machine.
  ///   - grants: `groups=support:viewer@com.example.shop`, `email=mira@example.com:admin`, `sub=*:viewer`: who has the value
  ///     among the claim's is granted that; `*` is any value.
  /// - Throws: ``InvalidOption``.
  public init(issuer: String, clientID: String, clientSecret: String?, grants: [String]) throws {
    guard let target = try? EgressTarget(issuer), target.isSecure || Self.isHere(target.host), !issuer.contains("?"),
      !issuer.contains("#")
    else { throw InvalidOption("--oidc-issuer is an address as https://id.example.com") }
    guard !clientID.isEmpty else { throw InvalidOption("--oidc-client-id is missing") }
    guard !grants.isEmpty else { throw InvalidOption("without --oidc-grant nobody could do anything: sub=*:viewer") }
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    rules = try grants.map { text in
      guard let rule = ClaimRule(text) else {
        throw InvalidOption("--oidc-grant: “\(text)” is no grant, write CLAIM=VALUE:ROLE or CLAIM=VALUE:ROLE@PROJECT")
      }
      return rule
    }
  }

  public struct InvalidOption: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
  }

  static func isHere(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
}

/// Which claim grants what: `groups=support:viewer@com.example.shop`.
struct ClaimRule: Sendable, Equatable {
  let claim: String
  /// Nil: any.
  let value: String?
  let grant: Grant

  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), let colon = text.lastIndex(of: ":"), equals < colon,
      let grant = try? Grant(String(text[text.index(after: colon)...]))
    else { return nil }
    let value = String(text[text.index(after: equals)..<colon])
    claim = String(text[..<equals])
    guard !claim.isEmpty, !value.isEmpty else { return nil }
    self.value = value == "*" ? nil : value
    self.grant = grant
  }

  /// Whether somebody with these claims is granted it. An address that the provider has not verified is anybody's.
  func fits(_ claims: JSONTree) -> Bool {
    if claim == "email", claims["email_verified"]?.bool != true { return false }
    let values: [String] =
      switch claims[claim] {
      case .string(let text): [text]
      case .array(let several): several.compactMap(\.string)
      default: []
      }
    return value.map(values.contains) ?? !values.isEmpty
  }
}
