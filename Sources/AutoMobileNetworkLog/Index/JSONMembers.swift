import Foundation

/// Goes through the members of one JSON object as they stand, without decoding and without recursion.
struct JSONMembers {
  struct Member {
    /// Without quotes.
    var name: Range<Int>
    /// Of a string, without quotes.
    var value: Range<Int>
    var isString: Bool
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    skipSpace()
    if peek == UInt8(ascii: "{") { position += 1 } else { position = bytes.count }
  }

  /// Nil at the object's end, and where it is none.
  mutating func next() -> Member? {
    skipSpace()
    if peek == UInt8(ascii: ",") { position += 1 }
    skipSpace()
    guard let name = string() else { return nil }
    skipSpace()
    guard peek == UInt8(ascii: ":") else { return nil }
    position += 1
    skipSpace()
    if peek == UInt8(ascii: "\"") { return string().map { Member(name: name, value: $0, isString: true) } }
    let start = position
    skipValue()
    guard position > start else { return nil }
    return Member(name: name, value: start..<position, isString: false)
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte <= 0x20 { position += 1 }
  }

  /// What is between the quotes.
  private mutating func string() -> Range<Int>? {
    guard peek == UInt8(ascii: "\""), let base = bytes.baseAddress else { return nil }
    position += 1
    let start = position
    while position < bytes.count {
      guard let quote = memchr(base + position, 0x22, bytes.count - position) else { break }
      let end = UnsafeRawPointer(quote) - base
      position = end + 1
      var slashes = end
      while slashes > start, bytes[slashes - 1] == UInt8(ascii: "\\") { slashes -= 1 }
      if (end - slashes) & 1 == 0 { return start..<end }
    }
    position = bytes.count
    return nil
  }

  /// A number, a word, an object or an array.
  private mutating func skipValue() {
    var depth = 0
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        guard string() != nil else { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          position += 1
          return
        }
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      position += 1
    }
  }
}
