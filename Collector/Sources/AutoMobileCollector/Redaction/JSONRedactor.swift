/// Takes out of a JSON text what the rules name, and leaves JSON: in strings and names wherever they are, in numbers that are cards,
/// and whole values of the fields that are named. A string that is JSON itself is treated as such; what is no JSON, as a text.
struct JSONRedactor {
  private let rules: RedactionRules
  private let text: TextRedactor
  private let maximumDepth: Int
  /// What it reads stands in a string of a string of …
  private let nesting: Int
  private var edits: [TextRedactor.Edit] = []
  /// Inside of one string, by rule: an edit can stand for several.
  private var inside: RedactionCounts = [:]

  /// How often JSON may stand in a string of JSON. Each time its quotes have twice as many backslashes; what is deeper is a text.
  private static let deepestNesting = 8

  init(_ rules: RedactionRules, maximumDepth: Int, nesting: Int = 0) {
    (self.rules, text) = (rules, TextRedactor(rules: rules))
    (self.maximumDepth, self.nesting) = (maximumDepth, nesting)
  }

  /// - Returns: the text without it; nil when there is nothing to take out.
  static func redact(
    _ bytes: UnsafeRawBufferPointer, by rules: RedactionRules, maximumDepth: Int, _ counts: inout RedactionCounts
  ) -> [UInt8]? {
    var redactor = JSONRedactor(rules, maximumDepth: maximumDepth)
    do {
      let result = try redactor.document(bytes)
      counts.merge(redactor.inside, uniquingKeysWith: +)
      return result
    } catch {
      return redactor.text.redact(bytes, &counts)
    }
  }

  private mutating func document(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8]? {
    var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
    try scanner.document { try value(&$0, depth: 0, in: nesting == 0 ? .event : .other) }
    guard !edits.isEmpty else { return nil }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    var none: RedactionCounts = [:]
    return TextRedactor.apply(edits, to: bytes, &none)
  }

  /// Where identifiers stand by which an event is put in its place.
  private enum Place { case event, context, other }

  private mutating func value(
    _ scanner: inout JSONScanner, depth: Int, in place: Place, isIdentifier: Bool = false
  ) throws {
    switch try scanner.peek() {
    case .object: try object(&scanner, depth: depth, in: place)
    case .array:
      try scanner.array {
        try value(&$0, depth: depth + 1, in: .other); _ = $1
      }
    case .string: string(try scanner.string(), scanner, depth: depth, isIdentifier: isIdentifier)
    case .number:
      let number = try scanner.skip().range
      if !isIdentifier { self.number(number, scanner.bytes) }
    case .boolean, .null: try scanner.skip()
    }
  }

  private mutating func object(_ scanner: inout JSONScanner, depth: Int, in place: Place) throws {
    // `{"name": "Authorization", "value": "…"}`: some write headers so.
    var (named, valued): (Int64?, Range<Int>?) = (nil, nil)
    try scanner.object { scanner, key in
      let name = name(key, scanner)
      if let rule = rules.fields[name] {
        let range = try scanner.skip().range
        return replace(range, "\"\(RedactionRules.replacement)\"", rule, in: scanner.bytes)
      }
      let word = String(decoding: name, as: UTF8.self)
      let isIdentifier = place != .other && RedactionRules.identifiers.contains(word)
      if !isIdentifier { string(key, scanner, depth: depth) }
      let begin = scanner.offset
      let isName = (word == "name" || word == "key") && !rules.fields.isEmpty
      if isName, try scanner.peek() == .string {
        let start = scanner
        let text = try scanner.string()
        named = rules.fields[self.name(text, scanner)] ?? named
        scanner = start
      }
      let next: Place = place == .event && word == "context" ? .context : .other
      try value(&scanner, depth: depth + 1, in: next, isIdentifier: isIdentifier)
      if word == "value" { valued = begin..<scanner.offset }
    }
    guard let named, let valued else { return }
    // The last ones: what is behind has not been read.
    while let last = edits.last, valued.contains(last.range.lowerBound) { edits.removeLast() }
    let blanks = scanner.bytes[valued].prefix {
      $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 || $0 == UInt8(ascii: ":")
    }.count
    replace(
      valued.lowerBound + blanks..<valued.upperBound, "\"\(RedactionRules.replacement)\"", named, in: scanner.bytes)
  }

  private func name(_ key: JSONScanner.Text, _ scanner: JSONScanner) -> [UInt8] {
    guard key.isEscaped else { return scanner.bytes[key.range].map(PatternFinder.lower) }
    return scanner.decode(key).utf8.map(PatternFinder.lower)
  }

  private mutating func replace(_ range: Range<Int>, _ text: String, _ rule: Int64, in bytes: UnsafeRawBufferPointer) {
    guard range.count != text.utf8.count || !bytes[range].elementsEqual(text.utf8) else { return }
    edits.append(.init(range: range, text: text, rule: rule))
    inside[rule, default: 0] += 1
  }

  // MARK: Scalars

  /// An identifier that looks like one stays; a name that somebody put into its place does not.
  private static let longestIdentifier = 128

  private mutating func string(
    _ found: JSONScanner.Text, _ scanner: JSONScanner, depth: Int, isIdentifier: Bool = false
  ) {
    let raw = UnsafeRawBufferPointer(rebasing: scanner.bytes[found.range])
    if isIdentifier, raw.count <= Self.longestIdentifier,
      raw.allSatisfy({ PatternFinder.isLetterOrDigit($0) || "._:-".utf8.contains($0) })
    {
      return
    }
    let redacted: [UInt8]?
    if found.isEscaped {
      redacted = Array(scanner.decode(found).utf8).withUnsafeBytes { contents($0, depth: depth) }
    } else {
      redacted = contents(raw, depth: depth)
    }
    guard let redacted else { return }
    var json = JSONOutput()
    json.string(String(decoding: redacted, as: UTF8.self))
    let quoted = String(buffer: json.buffer)
    edits.append(.init(range: found.range, text: String(quoted.dropFirst().dropLast()), rule: 0))
  }

  /// Of a string, without its escapes. Together with what it stands in, JSON in it is no deeper than JSON may be.
  private mutating func contents(_ bytes: UnsafeRawBufferPointer, depth: Int) -> [UInt8]? {
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\""),
      nesting < Self.deepestNesting, depth + 1 < maximumDepth
    {
      var inner = JSONRedactor(rules, maximumDepth: maximumDepth - depth - 1, nesting: nesting + 1)
      do {
        let result = try inner.document(bytes)
        inside.merge(inner.inside, uniquingKeysWith: +)
        return result
      } catch {
        // No JSON, or cut off: a text.
      }
    }
    return text.redact(bytes, &inside)
  }

  private mutating func number(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
    guard let rule = rules.patterns[.card], (13...19).contains(range.count) else { return }
    let digits = bytes[range]
    guard let first = digits.first, (UInt8(ascii: "2")...UInt8(ascii: "6")).contains(first),
      digits.allSatisfy(PatternFinder.isDigit), PatternFinder.isLuhn(digits.map { $0 - 0x30 })
    else { return }
    replace(range, "\"\(RedactionPattern.card.replacement)\"", rule, in: bytes)
  }
}
