/// Takes out of a text what the rules name: patterns, and values behind the names of fields, as they stand in JSON, in headers, in
/// forms and in addresses. The text may be cut off anywhere.
struct TextRedactor {
  let rules: RedactionRules

  struct Edit {
    var range: Range<Int>
    var text: String
    var rule: Int64
  }

  /// In the order in which they stand, none in another one.
  func edits(in bytes: UnsafeRawBufferPointer) -> [Edit] {
    var edits: [Edit] = rules.fields.isEmpty ? [] : fields(in: bytes)
    guard !rules.patterns.isEmpty else { return edits }
    // What stands in a field that is taken out goes with it.
    var next = 0
    let own = edits
    for match in PatternFinder.find(Set(rules.patterns.keys), in: bytes) {
      while next < own.count, own[next].range.upperBound <= match.range.lowerBound { next += 1 }
      if next < own.count, own[next].range.overlaps(match.range) { continue }
      edits.append(Edit(range: match.range, text: match.pattern.replacement, rule: rules.patterns[match.pattern] ?? 0))
    }
    if edits.count > own.count { edits.sort { $0.range.lowerBound < $1.range.lowerBound } }
    return edits
  }

  /// The text without it; nil when there is nothing to take out.
  func redact(_ bytes: UnsafeRawBufferPointer, _ counts: inout RedactionCounts) -> [UInt8]? {
    let edits = edits(in: bytes)
    guard !edits.isEmpty else { return nil }
    return Self.apply(edits, to: bytes, &counts)
  }

  static func apply(_ edits: [Edit], to bytes: UnsafeRawBufferPointer, _ counts: inout RedactionCounts) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16 * edits.count)
    var offset = 0
    for edit in edits {
      result.append(contentsOf: bytes[offset..<edit.range.lowerBound])
      result.append(contentsOf: edit.text.utf8)
      counts[edit.rule, default: 0] += 1
      offset = edit.range.upperBound
    }
    result.append(contentsOf: bytes[offset...])
    return result
  }

  // MARK: Fields

  private func fields(in bytes: UnsafeRawBufferPointer) -> [Edit] {
    var edits: [Edit] = []
    var index = 0
    while index < bytes.count {
      guard Self.isName(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
      guard index - start <= RedactionRules.longestField,
        let rule = rules.fields[bytes[start..<index].map(PatternFinder.lower)],
        let value = value(behind: index, of: start, in: bytes)
      else { continue }
      // What was taken out before, by a sender or here, is not counted again.
      if !Self.isTakenOut(bytes[value.range], value.text) {
        edits.append(Edit(range: value.range, text: value.text, rule: rule))
      }
      index = max(index, value.range.upperBound)
    }
    return edits
  }

  private static func isTakenOut(_ value: Slice<UnsafeRawBufferPointer>, _ text: String) -> Bool {
    value.count == text.utf8.count && value.elementsEqual(text.utf8)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    PatternFinder.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }

  /// Where the value behind a name is; nil when none follows.
  private func value(
    behind end: Int, of start: Int, in bytes: UnsafeRawBufferPointer
  ) -> (range: Range<Int>, text: String)? {
    var index = end
    // `\"name\"`: JSON inside of JSON has as many backslashes before each quote as it is deep.
    let slashes = Self.slashes(before: start - 1, in: bytes)
    let isQuoted = start > 0 && bytes[start - 1] == UInt8(ascii: "\"")
    if isQuoted {
      guard let quote = Self.quote(at: index, slashes, in: bytes) else { return nil }
      index = quote
    }
    index = Self.skipBlanks(bytes, from: index)
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: ":"):
      index = Self.skipBlanks(bytes, from: index + 1)
      guard index < bytes.count else { return nil }
      return isQuoted ? member(at: index, slashes, in: bytes) : line(at: index, in: bytes)
    case UInt8(ascii: "=") where !isQuoted: return parameter(at: index + 1, in: bytes)
    default: return nil
    }
  }

  /// Of JSON: a string without its quotes, or everything to the value's end.
  private func member(
    at start: Int, _ slashes: Int, in bytes: UnsafeRawBufferPointer
  ) -> (range: Range<Int>, text: String)? {
    let quoted =
      String(repeating: "\\", count: slashes) + "\"" + RedactionRules.replacement
      + String(repeating: "\\", count: slashes) + "\""
    if let begin = Self.quote(at: start, slashes, in: bytes) {
      var index = begin
      while index < bytes.count, Self.quote(at: index, slashes, in: bytes, isWhole: true) == nil { index += 1 }
      return index > begin ? (begin..<index, RedactionRules.replacement) : nil
    }
    var (index, depth, isInside) = (start, 0, false)
    while index < bytes.count {
      let byte = bytes[index]
      if Self.quote(at: index, slashes, in: bytes, isWhole: true) != nil {
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
    return index > start ? (start..<index, quoted) : nil
  }

  /// Of a header: to the end of the line.
  private func line(at start: Int, in bytes: UnsafeRawBufferPointer) -> (range: Range<Int>, text: String)? {
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return end > start ? (start..<end, RedactionRules.replacement) : nil
  }

  /// Of an address or a form.
  private func parameter(at start: Int, in bytes: UnsafeRawBufferPointer) -> (range: Range<Int>, text: String)? {
    var end = start
    while end < bytes.count, bytes[end] > 0x20, !"&;#\"<>".utf8.contains(bytes[end]) { end += 1 }
    return end > start ? (start..<end, RedactionRules.replacement) : nil
  }

  // MARK: Quotes

  private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < bytes.count, index - start < 64, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    return index
  }

  private static func slashes(before index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while index - count > 0, count < 8, bytes[index - count - 1] == UInt8(ascii: "\\") { count += 1 }
    return count
  }

  /// The place behind a quote with so many backslashes before it.
  ///
  /// - Parameter isWhole: there must not be more of them: a quote that is escaped once more is a part of the text.
  private static func quote(
    at index: Int, _ slashes: Int, in bytes: UnsafeRawBufferPointer, isWhole: Bool = false
  ) -> Int? {
    let end = index + slashes
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    for place in index..<end where bytes[place] != UInt8(ascii: "\\") { return nil }
    if isWhole, index > 0, bytes[index - 1] == UInt8(ascii: "\\") {
      // An even number before it is backslashes of the text, each escaped.
      return Self.slashes(before: index, in: bytes) % 2 == 0 ? end + 1 : nil
    }
    return end + 1
  }
}
