import CAutoMobile
import Foundation

/// Text that is looked for in records: as it stands in their JSON, without regard to the case of ASCII letters.
struct FoldedText {
  private let needle: [UInt8]

  /// Nil when there is nothing to look for.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    needle = Self.escaped(text).map(Self.fold)
  }

  /// What stands between the quotes of the text's JSON.
  static func escaped(_ text: String) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let json = try? encoder.encode(text), json.count > 2 else { return Data() }
    return json.dropFirst().dropLast()
  }

  func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    needle.withUnsafeBufferPointer {
      am_find_folded(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, $0.baseAddress, $0.count) >= 0
    }
  }

  static func fold(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
