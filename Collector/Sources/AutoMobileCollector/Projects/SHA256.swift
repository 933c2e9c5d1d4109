import Crypto
import Foundation

/// SHA-256, as keys and segments are known by. Keys are kept as their hash: they are random and long, so that no slower
/// function is needed.
enum SHA256 {
  static func hash(_ text: String) -> [UInt8] { Array(Crypto.SHA256.hash(data: Data(text.utf8))) }

  /// In lower-case hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    Crypto.SHA256.hash(data: bytes).hexText
  }

  /// A code that only who has the key can make (HMAC, RFC 2104).
  static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<Crypto.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }
}
