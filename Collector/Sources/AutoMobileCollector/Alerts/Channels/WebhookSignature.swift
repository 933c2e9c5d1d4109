import Crypto
import Foundation

/// How receivers know that a webhook comes from this collector: the Standard Webhooks specification, version 1.
///
/// `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,BASE64`, which is HMAC-SHA256 over `ID.TIMESTAMP.BODY`.
enum WebhookSignature {
  private static let prefix = "whsec_"

  static func makeSecret() -> String {
    prefix + Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
  }

  /// The bytes of a secret; nil when it is none.
  static func key(of secret: String) -> Data? {
    guard secret.hasPrefix(prefix), let key = Data(base64Encoded: String(secret.dropFirst(prefix.count))),
      (24...64).contains(key.count)
    else { return nil }
    return key
  }

  /// - Parameters:
  ///   - id: of the message, the same at each attempt.
  ///   - seconds: of the attempt, since 1970.
  static func headers(id: String, seconds: Int64, body: [UInt8], secret: String?) -> [(String, String)] {
    var headers = [("webhook-id", id), ("webhook-timestamp", String(seconds))]
    if let secret, let key = key(of: secret) {
      let code = HMAC<Crypto.SHA256>.authenticationCode(
        for: Data("\(id).\(seconds).".utf8) + body, using: SymmetricKey(data: key))
      headers.append(("webhook-signature", "v1," + Data(code).base64EncodedString()))
    }
    return headers
  }
}
