import Foundation

/// What only who was given it has: of a cookie, of a link. Kept as its hash.
struct SignInSecret: Sendable {
  /// 256 bits of the system's generator, in letters, digits, `-` and `_`.
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    text = Self.text(bytes)
  }

  /// What somebody presents; nil when it cannot be one.
  init?(_ presented: String) {
    guard presented.utf8.count == Self.length, presented.utf8.allSatisfy(Self.isAllowed) else { return nil }
    text = presented
  }

  /// It is random and long, so that no slower function is needed.
  var hash: Data { Data(SHA256.hash(text)) }

  /// Base64 for URLs (RFC 4648, section 5), without padding.
  static func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static let length = 43

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
