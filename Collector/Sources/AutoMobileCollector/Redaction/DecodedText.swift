/// A text as it reads when what is escaped in it is undone: `%40`, `\u0040`, and `+` between letters and digits, as forms write a
/// blank. Beside each byte stands where it comes from, so that what is found in it is taken out of the text as it is.
///
/// For looking only: what is no ASCII after `\u` is one byte that is no text.
struct DecodedText {
  private(set) var bytes: [UInt8] = []
  /// Of each byte, and the text's end.
  private var places: [UInt32] = []

  /// Reads once, front to back; nil when nothing is escaped.
  init?(_ text: UnsafeRawBufferPointer) {
    guard var index = (0..<text.count).first(where: { Self.escape(at: $0, in: text) != nil }) else { return nil }
    bytes.reserveCapacity(text.count)
    places.reserveCapacity(text.count + 1)
    for place in 0..<index { append(text[place], at: place) }
    while index < text.count {
      if let (byte, next) = Self.escape(at: index, in: text) {
        append(byte, at: index)
        index = next
        continue
      }
      // A run of backslashes is looked at once.
      let start = index
      repeat {
        append(text[index], at: index)
        index += 1
      } while text[start] == UInt8(ascii: "\\") && index < text.count && text[index] == UInt8(ascii: "\\")
    }
    places.append(UInt32(clamping: text.count))
  }

  private init() {}

  /// What was escaped twice.
  var decodedAgain: DecodedText? {
    guard var again = bytes.withUnsafeBytes({ DecodedText($0) }) else { return nil }
    again.places = again.places.map { places[Int($0)] }
    return again
  }

  /// Where something stands in the text as it is.
  func original(_ range: Range<Int>) -> Range<Int> {
    Int(places[range.lowerBound])..<Int(places[range.upperBound])
  }

  private mutating func append(_ byte: UInt8, at place: Int) {
    bytes.append(byte)
    places.append(UInt32(clamping: place))
  }

  /// The byte that an escape is for, and the place behind it.
  private static func escape(at index: Int, in text: UnsafeRawBufferPointer) -> (byte: UInt8, next: Int)? {
    switch text[index] {
    case UInt8(ascii: "%"):
      return hexadecimal(index + 1..<index + 3, in: text).map { (UInt8(truncatingIfNeeded: $0), index + 3) }
    case UInt8(ascii: "+"):
      guard index > 0, index + 1 < text.count, PatternFinder.isLetterOrDigit(text[index - 1]),
        PatternFinder.isLetterOrDigit(text[index + 1]) || text[index + 1] == UInt8(ascii: "%")
      else { return nil }
      return (UInt8(ascii: " "), index + 1)
    case UInt8(ascii: "\\"):
      // As deep as JSON stands in JSON, there are more of them.
      guard index == 0 || text[index - 1] != UInt8(ascii: "\\") else { return nil }
      var end = index
      while end < text.count, text[end] == UInt8(ascii: "\\") { end += 1 }
      guard end < text.count, text[end] == UInt8(ascii: "u"), let unit = hexadecimal(end + 1..<end + 5, in: text) else {
        return nil
      }
      return (unit < 0x80 ? UInt8(truncatingIfNeeded: unit) : 0xFF, end + 5)
    default: return nil
    }
  }

  private static func hexadecimal(_ range: Range<Int>, in text: UnsafeRawBufferPointer) -> Int? {
    guard range.upperBound <= text.count else { return nil }
    var value = 0
    for byte in text[range] {
      guard let digit = JSONScanner.hexValue(byte) else { return nil }
      value = value << 4 | Int(digit)
    }
    return value
  }
}
