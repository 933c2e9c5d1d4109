/// Where the value behind a field's name is, as it stands in JSON, in headers, in forms and in addresses. The text may be cut off
/// anywhere.
struct FieldValues {
  let bytes: UnsafeRawBufferPointer
  /// Whether a byte was escaped; nil: this is the text as it is. In one that was read, parts of an address look like lines of a header,
  /// and a value may have blanks.
  let isEscaped: ((Int) -> Bool)?

  struct Value {
    var range: Range<Int>
    /// It is no string, and its name is one, with this quote before it: it becomes one.
    var quote: Range<Int>?
  }

  static func isName(_ byte: UInt8) -> Bool {
    PatternFinder.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }

  func isTakenOut(_ value: Value) -> Bool {
    let quote = value.quote.map { Array(bytes[$0]) } ?? []
    return bytes[value.range].elementsEqual(quote + Array(RedactionRules.replacement.utf8) + quote)
  }

  /// nil when none follows.
  func value(behind end: Int, of start: Int) -> Value? {
    // `\"name\"`: JSON inside of JSON has as many backslashes before each quote as it is deep.
    let slashes = slashes(before: start - 1)
    let isBehindQuote = start > 0 && bytes[start - 1] == UInt8(ascii: "\"")
    if isBehindQuote, let closed = quote(at: end, slashes) {
      let colon = skipBlanks(from: closed)
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
      return member(at: skipBlanks(from: colon + 1), slashes, named: start - 1 - slashes..<start)
    }
    let bracket = brackets(at: end, of: start)
    let index = skipBlanks(from: bracket ?? end)
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: ":") where bracket == nil:
      let begin = skipBlanks(from: index + 1)
      // Of a string it is a part, which ends with it.
      return isBehindQuote ? string(from: begin, slashes) : line(at: begin)
    case UInt8(ascii: "="): return parameter(behind: index)
    default: return nil
    }
  }

  // MARK: JSON

  /// A string without its quotes, or everything to the value's end.
  private func member(at start: Int, _ slashes: Int, named quote: Range<Int>) -> Value? {
    if let begin = self.quote(at: start, slashes) { return string(from: begin, slashes) }
    var (index, depth, isInside) = (start, 0, false)
    while index < bytes.count {
      let byte = bytes[index]
      if self.quote(at: index, slashes, isWhole: true) != nil {
        isInside.toggle()
        index += slashes
      } else if !isInside {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
          if depth == 0 { break }
          depth -= 1
        }
        if depth == 0, byte == UInt8(ascii: ",") || byte == 0x0A { break }
      }
      index += 1
    }
    return index > start ? Value(range: start..<index, quote: quote) : nil
  }

  /// To the quote that ends it, or to the end of what was cut off.
  private func string(from begin: Int, _ slashes: Int) -> Value? {
    var index = begin
    while index < bytes.count, quote(at: index, slashes, isWhole: true) == nil { index += 1 }
    return index > begin ? Value(range: begin..<index) : nil
  }

  // MARK: Headers, forms and addresses

  /// Of a header: to the end of the line.
  private func line(at start: Int) -> Value? {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D {
      if isEscaped != nil, bytes[end] == UInt8(ascii: "&") { break }
      end += 1
    }
    return end > start ? Value(range: start..<end) : nil
  }

  /// `user[password]=…`, `password[]=…`, `user[password][0]=…`: the place behind the brackets; nil when there are none.
  private func brackets(at end: Int, of start: Int) -> Int? {
    guard end < bytes.count else { return nil }
    var index = end
    if bytes[index] == UInt8(ascii: "]") {
      guard start > 0, bytes[start - 1] == UInt8(ascii: "[") else { return nil }
      index += 1
    } else if bytes[index] != UInt8(ascii: "[") {
      return nil
    }
    while index < bytes.count, index - end < RedactionRules.longestField, bytes[index] == UInt8(ascii: "[") {
      var close = index + 1
      while close < bytes.count, close - end < RedactionRules.longestField, Self.isName(bytes[close]) { close += 1 }
      guard close < bytes.count, bytes[close] == UInt8(ascii: "]") else { return nil }
      index = close + 1
    }
    return index
  }

  /// Of an address or a form.
  private func parameter(behind equals: Int) -> Value? {
    let start = skipBlanks(from: equals + 1)
    if let value = quoted(at: start) { return value }
    var end = start
    while end < bytes.count, bytes[end] > 0x20 || isEscaped?(end) == true, !"&#\"<>".utf8.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: ";"), isEnd(behind: end) { break }
      end += 1
    }
    // Backslashes before a quote are the quote's, which ends the text that this stands in.
    if end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
      while end > start, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    }
    return end > start ? Value(range: start..<end) : nil
  }

  /// `password="a b"`, unless the quote ends what the name stands in.
  private func quoted(at start: Int) -> Value? {
    var slashes = 0
    while start + slashes < bytes.count, slashes < Self.mostSlashes, bytes[start + slashes] == UInt8(ascii: "\\") {
      slashes += 1
    }
    guard let begin = quote(at: start, slashes), begin < bytes.count, bytes[begin] > 0x20,
      !",}]:;&)\\\"".utf8.contains(bytes[begin])
    else { return nil }
    return string(from: begin, slashes)
  }

  /// Some part parameters with semicolons, as cookies are; others have them in their values.
  private func isEnd(behind semicolon: Int) -> Bool {
    var index = semicolon + 1
    guard index < bytes.count, bytes[index] > 0x20 else { return true }
    while index < bytes.count, index - semicolon <= RedactionRules.longestField, Self.isName(bytes[index]) {
      index += 1
    }
    return index > semicolon + 1 && index < bytes.count && bytes[index] == UInt8(ascii: "=")
  }

  private func skipBlanks(from start: Int) -> Int {
    var index = start
    while index < bytes.count, index - start < 64, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    return index
  }

  // MARK: Quotes

  /// Before a quote: JSON that stands in JSON six times has so many.
  private static let mostSlashes = 64

  private func slashes(before index: Int) -> Int {
    var count = 0
    while index - count > 0, count < Self.mostSlashes, bytes[index - count - 1] == UInt8(ascii: "\\") { count += 1 }
    return count
  }

  /// The place behind a quote with so many backslashes before it.
  ///
  /// - Parameter isWhole: there must not be more of them: a quote that is escaped once more is a part of the text.
  private func quote(at index: Int, _ slashes: Int, isWhole: Bool = false) -> Int? {
    let end = index + slashes
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    for place in index..<end where bytes[place] != UInt8(ascii: "\\") { return nil }
    if isWhole, index > 0, bytes[index - 1] == UInt8(ascii: "\\") {
      // An even number before it is backslashes of the text, each escaped.
      return self.slashes(before: index) % 2 == 0 ? end + 1 : nil
    }
    return end + 1
  }
}
