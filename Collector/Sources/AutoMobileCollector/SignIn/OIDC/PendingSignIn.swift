import AutoMobileState
import Crypto
import Foundation

/// A sign-in that is on its way to the provider and back. The browser carries it along, sealed, in a cookie: whichever
/// collector it comes back to can open it, and it belongs to that browser.
struct PendingSignIn: Codable, Sendable, Equatable {
  /// Comes back in the address: who comes back is who went.
  var state: String
  /// Comes back in the token: it is of this sign-in.
  var nonce: String
  /// Of which the provider was given the hash: who has the code alone has nothing (PKCE, RFC 7636).
  var verifier: String
  /// Where in the viewer one wanted to go: `#/issues`.
  var place: String
  /// Milliseconds since 1970.
  var endsAt: Int64

  /// In seconds.
  static let lifetime: Int64 = 600

  init(place: String, at now: Int64) {
    state = SignInSecret().text
    nonce = SignInSecret().text
    verifier = SignInSecret().text
    self.place = Self.isPlace(place) ? place : ""
    endsAt = now + Self.lifetime * 1000
  }

  /// By which they are sealed: made once, and kept.
  static func key(in state: any StateStore) throws -> SymmetricKey {
    let text = try StateSecret.text("sign_in_secret", in: state) { SignInSecret().text }
    return SymmetricKey(data: SHA256.hash(text))
  }

  /// What the provider is given of the verifier.
  var challenge: String { SignInSecret.text(SHA256.hash(verifier)) }

  /// A place is in the viewer: behind `#`, so that it leads nowhere else.
  static func isPlace(_ text: String) -> Bool {
    text.hasPrefix("#/") && text.utf8.count <= 500
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\`".utf8.contains($0) }
  }

  func sealed(by key: SymmetricKey) throws -> String {
    let box = try AES.GCM.seal(try JSONEncoder().encode(self), using: key)
    return SignInSecret.text(Array(box.combined ?? Data()))
  }

  /// - Returns: nil when it is not ours, or over.
  init?(sealed text: String, by key: SymmetricKey, at now: Int64) {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    guard text.utf8.count <= 4000,
      let data = Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)),
      let box = try? AES.GCM.SealedBox(combined: data), let opened = try? AES.GCM.open(box, using: key),
      let found = try? JSONDecoder().decode(PendingSignIn.self, from: opened), now < found.endsAt
    else { return nil }
    self = found
  }
}
