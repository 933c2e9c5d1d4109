import Crypto
import Foundation
import JWTKit
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// What lies a provider can tell is tried from outside, by `Collector/Tests/Doors/people.py`.
@Suite struct `Identity providers` {
  @Test func `grants are by claim, and an address that is not verified grants nothing`() throws {
    let rule = try #require(ClaimRule("groups=a:b=c:viewer@com.example.shop"))
    #expect(rule.claim == "groups" && rule.value == "a:b=c" && rule.grant.text == "viewer@com.example.shop")
    for wrong in ["", "groups", "groups=a", "=a:viewer", "groups=:viewer", "groups=a:root", "groups=a:admin@x.y"] {
      #expect(ClaimRule(wrong) == nil, "\(wrong)")
    }
    let email = try #require(ClaimRule("email=a@example.com:admin"))
    #expect(!email.fits(["email": "a@example.com"]))
    #expect(!email.fits(["email": "a@example.com", "email_verified": "true"]))
    #expect(email.fits(["email": "a@example.com", "email_verified": true]))
    let group = try #require(ClaimRule("groups=support:viewer"))
    #expect(group.fits(["groups": ["x", "support"]]) && group.fits(["groups": "support"]))
    #expect(!group.fits(["groups": "support-2"]) && !group.fits(["groups": true]) && !group.fits([:]))
    #expect(try #require(ClaimRule("sub=*:viewer")).fits(["sub": "1"]))
  }

  @Test func `an issuer is https, or on this machine`() {
    func make(_ issuer: String, _ grants: [String] = ["sub=*:viewer"]) throws {
      _ = try IdentityProviderOptions(issuer: issuer, clientID: "a", clientSecret: nil, grants: grants)
    }
    #expect(throws: Never.self) { try make("https://id.example.com/realms/a") }
    #expect(throws: Never.self) { try make("http://localhost:9000") }
    for wrong in [
      "http://id.example.com", "id.example.com", "https://id.example.com?x", "https://u@id.example.com", "",
    ] {
      #expect(throws: IdentityProviderOptions.InvalidOption.self, "\(wrong)") { try make(wrong) }
    }
    #expect(throws: IdentityProviderOptions.InvalidOption.self) { try make("https://id.example.com", []) }
  }

  @Test func `a sign-in that is on its way is its collector's, and over after ten minutes`() throws {
    let (key, other) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
    let pending = PendingSignIn(place: "#/issues?a=b", at: 1_000)
    let sealed = try pending.sealed(by: key)
    #expect(PendingSignIn(sealed: sealed, by: key, at: 2_000) == pending)
    #expect(PendingSignIn(sealed: sealed, by: other, at: 2_000) == nil)
    #expect(PendingSignIn(sealed: sealed, by: key, at: 601_000) == nil)
    let changed = String(sealed.dropLast(2)) + (sealed.hasSuffix("AA") ? "QQ" : "AA")
    #expect(PendingSignIn(sealed: changed, by: key, at: 2_000) == nil)
    #expect(pending.state != pending.nonce && pending.state.utf8.count == 43)
    // RFC 7636, appendix B.
    var known = pending
    known.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    #expect(known.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    for place in [
      "https://evil.example", "//evil.example", "#evil", "#/a b", "#/a\nb", "",
      "#/" + String(repeating: "a", count: 600),
    ] {
      #expect(PendingSignIn(place: place, at: 0).place == "", "\(place)")
    }
  }

  /// Of a provider with keys of an elliptic curve.
  private struct Claims: JWTPayload {
    var iss: String
    var aud: String
    var sub = "mira"
    var nonce: String
    var iat = Date().timeIntervalSince1970
    var exp = Date().timeIntervalSince1970 + 60

    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  private static func set(_ name: String, _ key: ES256PrivateKey) -> String {
    let point = key.publicKey.parameters
    func url(_ text: String?) -> String {
      (text ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return """
      {"keys":[{"kty":"oct","kid":"o","k":"AAAA"},\
      {"kty":"EC","crv":"P-256","kid":"\(name)","x":"\(url(point?.x))","y":"\(url(point?.y))"}]}
      """
  }

  @Test func `a key that is not known is looked for, once in a while`() async throws {
    let (first, second) = (ES256PrivateKey(), ES256PrivateKey())
    let answers = NIOLockedValueBox<[String]>([])
    let server = try CannedServer { number in
      .text("200 OK", answers.withLockedValue { number < $0.count ? $0[number] : "{}" })
    }
    defer { server.stop() }
    let issuer = "http://127.0.0.1:\(server.port)"
    let time = NIOLockedValueBox(ContinuousClock.now)
    let provider = IdentityProvider(
      try IdentityProviderOptions(
        issuer: issuer, clientID: "automobile", clientSecret: "secret", grants: ["sub=mira:viewer"]),
      egress: Egress(policy: try EgressPolicy(["127.0.0.1:\(server.port)"])), now: { time.withLockedValue { $0 } })
    let pending = PendingSignIn(place: "", at: WallClock.now)
    func token(_ name: String, _ key: ES256PrivateKey) async throws -> String {
      let keys = JWTKeyCollection()
      await keys.add(ecdsa: key, kid: .init(string: name))
      let token = try await keys.sign(
        Claims(iss: issuer, aud: "automobile", nonce: pending.nonce), kid: .init(string: name))
      return "{\"id_token\":\"\(token)\"}"
    }
    let discovery = """
      {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/a","token_endpoint":"\(issuer)/t","jwks_uri":"\(issuer)/k"}
      """
    func say(_ more: [String]) { answers.withLockedValue { $0 += more } }
    func person() async throws -> Person {
      try await provider.person(code: "c", pending, returningTo: "http://127.0.0.1/sign-in/callback")
    }
    say([discovery, try await token("first", first), Self.set("first", first)])
    #expect(try await person().grants.text == "viewer")
    // Known by now: nothing but the token is asked for.
    say([try await token("first", first)])
    #expect(try await person().subject == "mira")
    #expect(server.requests.count == 4)
    // Another key, too soon; the keys are not asked for.
    say([try await token("second", second)])
    await #expect(throws: IDToken.Untrue.self) { try await person() }
    #expect(server.requests.count == 5)
    time.withLockedValue { $0 += .seconds(61) }
    say([try await token("second", second), Self.set("second", second)])
    #expect(try await person().subject == "mira")
    #expect(server.requests.count == 7)
    // The old key is gone with that, and a token by it under the new one's name is none.
    say([try await token("second", first)])
    await #expect(throws: IDToken.Untrue.self) { try await person() }
    #expect(server.requests[1].contains("code_verifier=\(pending.verifier)"))
    #expect(
      server.requests[1].contains("Authorization: Basic ") || server.requests[1].contains("authorization: Basic "))
  }
}
