import Foundation

/// An event's JSON as an SDK wrote it, looked into by its members' names: what ``UploadMatcher`` compares.
///
/// Values are compared as they stand, as the SDK does: a name by its bytes, a status only when it is written as a whole number.
struct RecordedMembers {
  struct Value {
    var kind: JSONScanner.Kind
    /// Where it stands; a string with its quotes.
    var range: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  private let top: [(name: Range<Int>, value: Value)]

  /// What is no JSON has no members.
  ///
  /// - Parameter bytes: must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    top = Self.members(of: bytes, 0..<bytes.count)
  }

  private static func members(
    of bytes: UnsafeRawBufferPointer, _ object: Range<Int>
  ) -> [(name: Range<Int>, value: Value)] {
    var members: [(name: Range<Int>, value: Value)] = []
    var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[object]))
    try? scanner.object { scanner, key in
      let value = try scanner.skip()
      members.append((moved(key.range, object), Value(kind: value.kind, range: moved(value.range, object))))
    }
    return members
  }

  private static func moved(_ range: Range<Int>, _ object: Range<Int>) -> Range<Int> {
    range.lowerBound + object.lowerBound..<range.upperBound + object.lowerBound
  }

  // MARK: Finding

  func value(_ name: String) -> Value? { top.first { isEqual($0.name, name.utf8[...]) }?.value }

  /// The value at a path: `properties.plan`. Where several ways of reading it lead to one, the first in the JSON is taken.
  func value(at path: String) -> Value? {
    var members = top
    var rest = path.utf8[...]
    while true {
      if let exact = members.first(where: { isEqual($0.name, rest) }) { return exact.value }
      let inner = members.first { name, value in
        let length = name.count
        guard value.kind == .object, length < rest.count else { return false }
        let dot = rest.index(rest.startIndex, offsetBy: length)
        return rest[dot] == UInt8(ascii: ".") && isEqual(name, rest[..<dot])
      }
      guard let inner else { return nil }
      rest = rest.dropFirst(inner.name.count + 1)
      members = Self.members(of: bytes, inner.value.range)
    }
  }

  private func isEqual(_ range: Range<Int>, _ name: Substring.UTF8View) -> Bool {
    range.count == name.count && bytes[range].elementsEqual(name)
  }

  private static let bodies = ["requestBody", "requestBodyEncoding", "responseBody", "responseBodyEncoding"]

  /// How much shorter the JSON of a request is without its bodies, in bytes: members with their names, colons and commas.
  var bodyBytes: Int {
    top.reduce(0) { sum, member in
      let isBody = Self.bodies.contains { isEqual(member.name, $0.utf8[...]) }
      return isBody ? sum + member.name.count + member.value.range.count + 4 : sum
    }
  }

  // MARK: Comparing

  /// What a string says; nil when it is none.
  func text(_ value: Value?) -> [UInt8]? {
    guard let value, value.kind == .string else { return nil }
    let inside = inside(value)
    return JSONScanner(bytes).unescape(JSONScanner.Text(range: inside, isEscaped: isEscaped(inside)))
  }

  func isText(_ value: Value?, _ text: String) -> Bool {
    guard let value, value.kind == .string else { return false }
    let inside = inside(value)
    // Escapes only make it longer.
    guard inside.count >= text.utf8.count else { return false }
    return isEscaped(inside)
      ? self.text(value)?.elementsEqual(text.utf8) ?? false : bytes[inside].elementsEqual(text.utf8)
  }

  /// Whether a string has this in it.
  func contains(_ value: Value?, _ needle: [UInt8]) -> Bool {
    guard let value, value.kind == .string else { return false }
    let inside = inside(value)
    // Long texts are common: they are not copied when they can be read as they stand.
    if isEscaped(inside) { return text(value)?.withUnsafeBytes { Self.contains($0, needle) } ?? false }
    return Self.contains(UnsafeRawBufferPointer(rebasing: bytes[inside]), needle)
  }

  /// In a time that grows with both lengths, not with their product: whoever writes the text may know the rule.
  private static func contains(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard let base = text.baseAddress else { return false }
    // How much of the needle's beginning stands before each of its ends (Knuth, Morris and Pratt).
    var again = [0]
    for end in needle.indices.dropFirst() {
      var length = again[end - 1]
      while length > 0, needle[length] != needle[end] { length = again[length - 1] }
      again.append(needle[length] == needle[end] ? length + 1 : 0)
    }
    var (position, matched) = (0, 0)
    while position < text.count {
      if matched == 0 {
        guard let found = memchr(base + position, Int32(first), text.count - position) else { return false }
        (position, matched) = (base.distance(to: UnsafeRawPointer(found)) + 1, 1)
      } else if text[position] == needle[matched] {
        (position, matched) = (position + 1, matched + 1)
      } else {
        matched = again[matched - 1]
      }
      if matched == needle.count { return true }
    }
    return false
  }

  private func inside(_ value: Value) -> Range<Int> { value.range.lowerBound + 1..<value.range.upperBound - 1 }

  private func isEscaped(_ inside: Range<Int>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return memchr(base + inside.lowerBound, Int32(UInt8(ascii: "\\")), inside.count) != nil
  }

  func bool(_ value: Value) -> Bool? {
    value.kind == .boolean ? bytes[value.range.lowerBound] == UInt8(ascii: "t") : nil
  }

  /// A whole number, written as one.
  func integer(_ value: Value?) -> Int64? {
    guard let value, value.kind == .number else { return nil }
    return Int64(String(decoding: bytes[value.range], as: UTF8.self))
  }

  func number(_ value: Value?) -> Double? {
    guard let value, value.kind == .number else { return nil }
    return Self.number(bytes[value.range])
  }

  /// A number, or a string that is nothing but one.
  func numberOrText(_ value: Value) -> Double? {
    value.kind == .string ? text(value).flatMap { Self.number($0) } : number(value)
  }

  /// The longest text that is looked at as a number, in bytes.
  private static let longestNumber = 64

  private static func number(_ text: some Collection<UInt8>) -> Double? {
    guard (1...longestNumber).contains(text.count) else { return nil }
    // As JSON has them: no hexadecimal digits, no "inf" or "nan", no spaces.
    guard text.allSatisfy({ (48...57).contains($0) || $0 == 0x2E || $0 == 0x2B || $0 == 0x2D || $0 | 0x20 == 0x65 })
    else { return nil }
    let text = String(decoding: text, as: UTF8.self)
    if let whole = Int64(text), !text.hasPrefix("+") { return Double(whole) }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }
}
