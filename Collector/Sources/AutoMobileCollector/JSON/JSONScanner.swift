/// Why some bytes are not the JSON that was expected, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  /// In bytes, from the text's beginning.
  var offset: Int
  var message: String

  var description: String { "at byte \(offset): \(message)" }
}

/// Reads JSON once, front to back, building nothing: the caller is told where things are and takes what it needs.
///
/// Strict (RFC 8259): UTF-8 is checked, nesting is limited, and nothing is read outside the bytes. The pointer must
/// outlive the scanner.
struct JSONScanner {
  enum Kind { case object, array, string, number, boolean, null }

  /// A string's place, without its quotes.
  struct Text {
    var range: Range<Int>
    /// There are backslashes in it.
    var isEscaped: Bool
  }

  let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0
  private var depth = 0
  private let maximumDepth: Int
  /// When set, the contents of each string *value* are appended here with a blank after each.
  var collected: [UInt8]?

  init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = 64) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  // MARK: Structure

  /// Reads the only value of the text with `read`, and checks that nothing follows it.
  mutating func document<Result>(_ read: (inout JSONScanner) throws -> Result) throws -> Result {
    let result = try read(&self)
    skipBlanks()
    if offset < bytes.count { throw error("unexpected text after the value") }
    return result
  }

  /// What comes next.
  mutating func peek() throws -> Kind {
    skipBlanks()
    guard offset < bytes.count else { throw error("the text ends where a value was expected") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw error("a value cannot begin with this character")
    }
  }

  /// Reads an object; `member` is called after each colon and must read exactly one value.
  mutating func object(_ member: (inout JSONScanner, Text) throws -> Void) throws {
    guard try peek() == .object else { throw error("expected an object") }
    try enter()
    skipBlanks()
    if next(is: UInt8(ascii: "}")) { return leave() }
    while true {
      skipBlanks()
      let key = try text(expected: "expected a member's name in quotes")
      skipBlanks()
      guard next(is: UInt8(ascii: ":")) else { throw error("expected a colon after the member's name") }
      try member(&self, key)
      skipBlanks()
      if next(is: UInt8(ascii: "}")) { return leave() }
      guard next(is: UInt8(ascii: ",")) else { throw error("expected a comma or the object's end") }
    }
  }

  /// Reads an array; `element` is called with each index and must read exactly one value.
  mutating func array(_ element: (inout JSONScanner, Int) throws -> Void) throws {
    guard try peek() == .array else { throw error("expected an array") }
    try enter()
    skipBlanks()
    if next(is: UInt8(ascii: "]")) { return leave() }
    var index = 0
    while true {
      try element(&self, index)
      index += 1
      skipBlanks()
      if next(is: UInt8(ascii: "]")) { return leave() }
      guard next(is: UInt8(ascii: ",")) else { throw error("expected a comma or the array's end") }
    }
  }

  /// Reads any value, checking it, and returns what and where it was.
  @discardableResult
  mutating func skip() throws -> (kind: Kind, range: Range<Int>) {
    let kind = try peek()
    let start = offset
    switch kind {
    case .object: try object { scanner, _ in try scanner.skip() }
    case .array: try array { scanner, _ in try scanner.skip() }
    case .string: try string()
    case .number: try number()
    case .boolean: try word(bytes[offset] == UInt8(ascii: "t") ? "true" : "false")
    case .null: try word("null")
    }
    return (kind, start..<offset)
  }

  /// Reads any value, and says whether it was `true`.
  mutating func skipsTrue() throws -> Bool {
    let value = try skip()
    return value.kind == .boolean && bytes[value.range.lowerBound] == UInt8(ascii: "t")
  }

  // MARK: Scalars

  /// Reads a string value.
  @discardableResult
  mutating func string() throws -> Text {
    skipBlanks()
    let text = try text(expected: "expected a string")
    if collected != nil {
      // Resolved, or the letter of an escape would stick to the word behind it: "\\nTotal".
      if text.isEscaped {
        let plain = unescape(text)
        collected?.append(contentsOf: plain)
      } else {
        collected?.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[text.range]))
      }
      collected?.append(UInt8(ascii: " "))
    }
    return text
  }

  /// Reads a number and rounds it to an integer; nil when it does not fit.
  mutating func integer() throws -> Int64? {
    guard try peek() == .number else { throw error("expected a number") }
    let start = offset
    let isPlain = try number()
    if isPlain { return Self.integer(bytes[start..<offset]) }
    guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) else { return nil }
    return Int64(exactly: value.rounded())
  }

  /// Skips a number, checking its form; true when it has neither fraction nor exponent.
  @discardableResult
  private mutating func number() throws -> Bool {
    let start = offset
    _ = next(is: UInt8(ascii: "-"))
    if next(is: UInt8(ascii: "0")) {
      if offset < bytes.count, Self.isDigit(bytes[offset]) { throw error("a number cannot begin with zero") }
    } else {
      try digits()
    }
    var isPlain = true
    if next(is: UInt8(ascii: ".")) {
      isPlain = false
      try digits()
    }
    if next(is: UInt8(ascii: "e")) || next(is: UInt8(ascii: "E")) {
      isPlain = false
      if !next(is: UInt8(ascii: "+")) { _ = next(is: UInt8(ascii: "-")) }
      try digits()
    }
    // What no reader can hold would make a whole page of events unreadable for it.
    if !isPlain || offset - start > 300,
      Double(String(decoding: bytes[start..<offset], as: UTF8.self))?.isFinite != true
    {
      throw error("the number is too large")
    }
    return isPlain
  }

  private mutating func digits() throws {
    let start = offset
    while offset < bytes.count, Self.isDigit(bytes[offset]) { offset += 1 }
    if offset == start { throw error("expected a digit") }
  }

  private mutating func word(_ expected: StaticString) throws {
    let matches = expected.withUTF8Buffer { word in
      bytes.count - offset >= word.count && zip(word, bytes[offset...]).allSatisfy(==)
    }
    guard matches else { throw error("expected \(expected)") }
    offset += expected.utf8CodeUnitCount
  }

  /// Skips a string with its quotes, checking escapes, control characters and UTF-8.
  private mutating func text(expected: StaticString) throws -> Text {
    guard next(is: UInt8(ascii: "\"")) else { throw error("\(expected)") }
    let start = offset
    var isEscaped = false
    while true {
      offset = Self.plainEnd(bytes, from: offset)
      guard offset < bytes.count else { throw error("the text ends inside a string") }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return Text(range: start..<offset - 1, isEscaped: isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        try escape()
      case 0..<0x20: throw error("a control character inside a string must be escaped")
      default:
        guard let length = UTF8Check.length(of: bytes, at: offset) else { throw error("this is not UTF-8") }
        offset += length
      }
    }
  }

  private mutating func escape() throws {
    guard offset + 1 < bytes.count else { throw error("the text ends inside a string") }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      switch try codeUnit() {
      case 0xD800...0xDBFF:
        guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u"),
          0xDC00...0xDFFF ~= (try codeUnit())
        else { throw error("half of a surrogate pair stands alone") }
      case 0xDC00...0xDFFF: throw error("half of a surrogate pair stands alone")
      default: break
      }
    default: throw error("unknown escape in a string")
    }
  }

  /// Reads `\uXXXX`.
  private mutating func codeUnit() throws -> UInt16 {
    var unit: UInt16 = 0
    guard offset + 6 <= bytes.count else { throw error("the text ends inside a string") }
    for byte in bytes[offset + 2..<offset + 6] {
      guard let digit = Self.hexValue(byte) else { throw error("\\u must be followed by four hexadecimal digits") }
      unit = unit << 4 | UInt16(digit)
    }
    offset += 6
    return unit
  }

  // MARK: Steps

  private mutating func enter() throws {
    depth += 1
    if depth > maximumDepth { throw error("nested deeper than \(maximumDepth) levels") }
    offset += 1
  }

  private mutating func leave() { depth -= 1 }

  @inline(__always)
  private mutating func next(is byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  func error(_ message: String) -> JSONError { JSONError(offset: offset, message: message) }
}
