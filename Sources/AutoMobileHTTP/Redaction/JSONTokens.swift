/// Reads JSON that may end anywhere, token by token, without recursion.
///
/// Several values one after the other are read as well (one a line, as some streams have it). What the grammar does not
/// allow is an error; an end in the midst of something is none.
package struct JSONTokens {
  package enum Token: Equatable {
    case objectStart, arrayStart, objectEnd, arrayEnd
    /// A member's name, without its quotes, as it stands.
    case name(Range<Int>)
    /// Without its quotes, as it stands; not whole when the bytes ended in it.
    case string(Range<Int>, isWhole: Bool)
    /// A number, or one of the three words.
    case scalar(Range<Int>)
  }

  package struct Malformed: Error {}

  /// Deeper JSON is an error.
  package static let maximumDepth = 512

  private enum Expected { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd }

  package let bytes: [UInt8]
  /// Where the next token is looked for: the end of the last one.
  package private(set) var position = 0
  /// The open containers; true for an object.
  package private(set) var containers: [Bool] = []
  private var expected = Expected.value

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Nil at the end of the bytes.
  package mutating func next() throws(Malformed) -> Token? {
    while true {
      skipSpace()
      guard let byte = peek else { return nil }
      switch (expected, byte) {
      case (.colon, UInt8(ascii: ":")):
        position += 1
        expected = .value
      case (.commaOrEnd, UInt8(ascii: ",")):
        position += 1
        expected = containers.last == true ? .name : .value
      case (.commaOrEnd, UInt8(ascii: "}")), (.nameOrEnd, UInt8(ascii: "}")):
        return try end(isObject: true)
      case (.commaOrEnd, UInt8(ascii: "]")), (.valueOrEnd, UInt8(ascii: "]")):
        return try end(isObject: false)
      case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
        let (range, isWhole) = try string()
        guard isWhole else { return nil }
        expected = .colon
        return .name(range)
      case (.value, _), (.valueOrEnd, _): return try value(byte)
      default: throw Malformed()
      }
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value(_ first: UInt8) throws(Malformed) -> Token {
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard containers.count < Self.maximumDepth else { throw Malformed() }
      position += 1
      let isObject = first == UInt8(ascii: "{")
      containers.append(isObject)
      expected = isObject ? .nameOrEnd : .valueOrEnd
      return isObject ? .objectStart : .arrayStart
    case UInt8(ascii: "\""):
      let (range, isWhole) = try string()
      expected = afterValue
      return .string(range, isWhole: isWhole)
    default:
      let range = try scalar()
      expected = afterValue
      return .scalar(range)
    }
  }

  private mutating func end(isObject: Bool) throws(Malformed) -> Token {
    guard containers.popLast() == isObject else { throw Malformed() }
    position += 1
    expected = afterValue
    return isObject ? .objectEnd : .arrayEnd
  }

  private var afterValue: Expected { containers.isEmpty ? .value : .commaOrEnd }

  private mutating func string() throws(Malformed) -> (Range<Int>, isWhole: Bool) {
    position += 1
    let start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return (start..<position - 1, true)
      case UInt8(ascii: "\\"):
        let escape = position
        guard try skipEscape() else {
          position = bytes.count
          return (start..<escape, false)
        }
      case 0..<0x20: throw Malformed()
      default: position += 1
      }
    }
    return (start..<position, false)
  }

  /// False when the bytes end in it.
  private mutating func skipEscape() throws(Malformed) -> Bool {
    position += 1
    guard let kind = peek else { return false }
    position += 1
    switch kind {
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let digit = peek else { return false }
        guard TextDecoding.hexValue(digit) != nil else { throw Malformed() }
        position += 1
      }
      return true
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    default: throw Malformed()
    }
  }

  private mutating func scalar() throws(Malformed) -> Range<Int> {
    let start = position
    while let byte = peek, Self.isScalar(byte) { position += 1 }
    let text = bytes[start..<position]
    guard let first = text.first else { throw Malformed() }
    if first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
      guard text.allSatisfy(Self.isNumber) else { throw Malformed() }
    } else {
      let isKnown = ["true", "false", "null"].contains { word in
        text.elementsEqual(word.utf8) || (position == bytes.count && word.utf8.starts(with: text))
      }
      guard isKnown else { throw Malformed() }
    }
    return start..<position
  }

  private static func isScalar(_ byte: UInt8) -> Bool {
    isNumber(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }
}
