import CSHA256
import Foundation

/// SHA-256, as keys and segments are known by. Keys are kept as their hash: they are random and long, so that no slower
/// function is needed.
struct SHA256 {
  private var state = am_sha256()

  init() { am_sha256_begin(&state) }

  mutating func update(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { am_sha256_add(&state, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes of what was given so far; more may be given after that.
  var digest: [UInt8] {
    var end = state
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      if let first = digest.baseAddress { am_sha256_end(&end, first) }
      count = 32
    }
  }

  static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest
  }

  static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

  /// In lower-case hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String { digits(hash(bytes)) }

  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A code that only who has the key can make (HMAC, RFC 2104).
  static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? hash(key) : key
    let key = short + [UInt8](repeating: 0, count: 64 - short.count)
    return hash(key.map { $0 ^ 0x5c } + hash(key.map { $0 ^ 0x36 } + message))
  }
}
