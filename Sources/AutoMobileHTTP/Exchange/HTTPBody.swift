import Foundation

/// A request's or response's body, as far as it was captured.
public struct HTTPBody: Sendable, Equatable {
  /// The captured bytes: all, or the first ones. Nil when only the size is known.
  public var bytes: Data?
  /// The true size in bytes, as the app saw it (after decompression).
  public var size: Int

  /// Set where the numbers of bytes do not tell whether something is missing.
  package var knownTruncation: Bool?

  public init(bytes: Data?, size: Int) {
    self.bytes = bytes
    self.size = size
  }

  /// Fewer bytes were captured than there were. Redaction, which makes bodies longer or shorter, does not change that.
  public var isTruncated: Bool { knownTruncation ?? isShorter }

  private var isShorter: Bool { (bytes?.count ?? 0) < size }

  /// Puts other bytes in the place of the captured ones; nil: none were captured.
  mutating func setBytes(_ bytes: Data?) {
    let wasTruncated = isTruncated
    self.bytes = bytes
    knownTruncation = bytes == nil || wasTruncated == isShorter ? nil : wasTruncated
  }

  /// The bytes as text; nil when they are no UTF-8, or were not captured. A character that was cut in half at the end of a
  /// truncated body is left out.
  public var text: String? {
    guard var bytes else { return nil }
    if isTruncated { bytes = bytes.prefix(Self.lengthOfWholeCharacters(in: bytes)) }
    return String(bytes: bytes, encoding: .utf8)
  }

  /// How many of the bytes are left when a character at the end that lacks its last bytes is cut off.
  private static func lengthOfWholeCharacters(in bytes: Data) -> Int {
    for (steps, byte) in bytes.suffix(4).reversed().enumerated() where byte & 0b1100_0000 != 0b1000_0000 {
      let length =
        switch byte {
        case 0..<0x80: 1
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        default: 4
        }
      return steps + 1 < length ? bytes.count - (steps + 1) : bytes.count
    }
    return bytes.count
  }
}
