// Values in an event's JSON, compared where they stand.
extension EventBytes {
  func isString(_ place: Place) -> Bool { bytes[place.lowerBound] == UInt8(ascii: "\"") }

  /// Not there, or null.
  func isNothing(_ place: Place?) -> Bool {
    guard let place else { return true }
    return bytes[place].elementsEqual("null".utf8)
  }

  /// A truth; nil when it is none.
  func bool(_ place: Place) -> Bool? {
    if bytes[place].elementsEqual("true".utf8) { return true }
    return bytes[place].elementsEqual("false".utf8) ? false : nil
  }

  /// A whole number; nil when it is none, or too large for one.
  func integer(_ place: Place) -> Int64? { Self.integer(bytes[place]) }

  /// A number; nil when it is none.
  func number(_ place: Place) -> Double? {
    guard !isString(place) else { return nil }
    return Self.number(bytes[place])
  }

  /// A number, or a string that is nothing but one.
  func numberOrText(_ place: Place) -> Double? {
    guard isString(place) else { return number(place) }
    return withText(place) { Self.number($0) } ?? nil
  }

  /// Calls `body` with what a string says, without quotes and escapes; nil when the value is no string.
  func withText<Result>(_ place: Place, _ body: (Slice<UnsafeRawBufferPointer>) -> Result) -> Result? {
    guard isString(place), place.count >= 2 else { return nil }
    let inside = bytes[place.lowerBound + 1..<place.upperBound - 1]
    guard JSONBytes.hasEscape(bytes, inside.startIndex..<inside.endIndex) else { return body(inside) }
    let text = JSONText.unescaped(inside)
    return text.withUnsafeBytes { body($0[...]) }
  }

  /// Whether the value is a string of these bytes.
  func isText(_ place: Place?, _ text: [UInt8]) -> Bool { text.withUnsafeBytes { isText(place, $0) } }

  func isText(_ place: Place?, _ text: RuleText) -> Bool { isText(place, text.bytes) }

  @inline(never)
  private func isText(_ place: Place?, _ text: UnsafeRawBufferPointer) -> Bool {
    // What is shorter than the text is another one: an escape takes more bytes than what it says.
    guard let place, isString(place), place.count >= text.count + 2 else { return false }
    let inside = place.lowerBound + 1..<place.upperBound - 1
    if inside.count == text.count {
      return bytes[inside].elementsEqual(text) && !JSONBytes.hasEscape(bytes, inside)
    }
    guard JSONBytes.hasEscape(bytes, inside) else { return false }
    return withText(place) { $0.count == text.count && $0.elementsEqual(text) } ?? false
  }

  private static func integer(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    let digits = isNegative ? digits.dropFirst() : digits
    guard (1...19).contains(digits.count) else { return nil }
    // Below zero there is one more than above: so it is counted down.
    var value: Int64 = 0
    for digit in digits {
      guard (48...57).contains(digit) else { return nil }
      let (tens, isTooLong) = value.multipliedReportingOverflow(by: 10)
      let (next, isTooSmall) = tens.subtractingReportingOverflow(Int64(digit & 15))
      guard !isTooLong, !isTooSmall else { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : 0 &- value
  }

  /// The longest text that is looked at as a number, in bytes.
  private static let longestNumber = 64

  static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Double? {
    if let whole = integer(text) { return Double(whole) }
    guard (1...longestNumber).contains(text.count) else { return nil }
    // As JSON has them: no hexadecimal digits, no "inf" or "nan", no spaces.
    guard text.allSatisfy({ (48...57).contains($0) || $0 == 0x2E || $0 == 0x2B || $0 == 0x2D || $0 | 0x20 == 0x65 })
    else { return nil }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
    return number
  }
}

/// The escapes of JSON strings.
enum JSONText {
  /// What the inside of a string says, in UTF-8. What is no escape stays as it is; half of a pair becomes U+FFFD.
  static func unescaped(_ inside: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(inside.count)
    var at = inside.startIndex
    while at < inside.endIndex {
      guard inside[at] == UInt8(ascii: "\\"), at + 1 < inside.endIndex else {
        text.append(inside[at])
        at += 1
        continue
      }
      let escaped = inside[at + 1]
      at += 2
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "u"):
        let first = unit(inside, at)
        if first != nil { at += 4 }
        var scalar = first.flatMap { Unicode.Scalar(UInt32($0)) }
        if let first, UTF16.isLeadSurrogate(first), at + 1 < inside.endIndex, inside[at] == UInt8(ascii: "\\"),
          inside[at + 1] == UInt8(ascii: "u"), let second = unit(inside, at + 2), UTF16.isTrailSurrogate(second)
        {
          at += 6
          scalar = Unicode.Scalar(0x1_0000 &+ (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
        }
        text.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
      default: text.append(escaped)
      }
    }
    return text
  }

  private static func unit(_ text: Slice<UnsafeRawBufferPointer>, _ start: Int) -> UInt16? {
    guard start + 4 <= text.endIndex else { return nil }
    var unit: UInt16 = 0
    for byte in text[start..<start + 4] {
      let digit: UInt8
      switch byte {
      case 48...57: digit = byte & 15
      case 65...70, 97...102: digit = byte & 15 &+ 9
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Whether the same letters, whatever their case, stand here. Letters of ASCII only.
  func equalsIgnoringCase(_ other: some Collection<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { Self.lower($0) == Self.lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }

  func contains(bytes part: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first else { return true }
    var at = startIndex
    while endIndex - at >= part.count {
      if self[at] == first, self[at..<at + part.count].elementsEqual(part) { return true }
      at += 1
    }
    return false
  }
}
