import Foundation
import JWTKit

/// The keys by which a provider signs, by their names (JWKS, RFC 7517).
struct ProviderKeys: Sendable {
  private var keys: [(id: String?, key: JWK)] = []

  static let most = 100

  init() {}

  /// Keys of a kind that is not known, or for something else than signing, are left out: they are none of those that are
  /// looked for.
  init(_ document: JSONTree) {
    guard case .array(let entries)? = document["keys"] else { return }
    for entry in entries.prefix(Self.most) where entry["use"]?.string ?? "sig" == "sig" {
      guard ["RSA", "EC", "OKP"].contains(entry["kty"]?.string), let key = try? JWK(json: entry.text) else { continue }
      keys.append((entry["kid"]?.string, key))
    }
  }

  /// A token that names no key means the only one that there is.
  func key(_ id: String?) -> JWK? {
    if let id { return keys.first { $0.id == id }?.key }
    return keys.count == 1 ? keys[0].key : nil
  }
}
