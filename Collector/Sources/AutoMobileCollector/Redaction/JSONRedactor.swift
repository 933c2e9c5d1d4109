/// Takes out of a JSON text what the rules name, and leaves JSON: in strings and names wherever they are, in numbers that are cards,
/// and whole values of the fields that are named. What is no JSON is treated as a text.
struct JSONRedactor {
  private let rules: RedactionRules
  private let text: TextRedactor
  private let maximumDepth: Int
  private var edits: [TextRedactor.Edit] = []
  /// Inside of one string, by rule: an edit can stand for several.
  private var inside: RedactionCounts = [:]

  init(_ rules: RedactionRules, maximumDepth: Int) {
    (self.rules, text, self.maximumDepth) = (rules, TextRedactor(rules: rules), maximumDepth)
  }

  /// - Returns: the text without it; nil when there is nothing to take out.
  static func redact(
    _ bytes: UnsafeRawBufferPointer, by rules: RedactionRules, maximumDepth: Int, _ counts: inout RedactionCounts
  ) -> [UInt8]? {
    var redactor = JSONRedactor(rules, maximumDepth: maximumDepth)
    var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
    do {
      try scanner.document { try redactor.value(&$0, depth: 0, isStructural: false) }
    } catch {
      return redactor.text.redact(bytes, &counts)
    }
    guard !redactor.edits.isEmpty else { return nil }
    redactor.edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    var none: RedactionCounts = [:]
    let result = TextRedactor.apply(redactor.edits, to: bytes, &none)
    counts.merge(redactor.inside, uniquingKeysWith: +)
    return result
  }

  private mutating func value(_ scanner: inout JSONScanner, depth: Int, isStructural: Bool) throws {
    switch try scanner.peek() {
    case .object: try object(&scanner, depth: depth)
    case .array:
      try scanner.array {
        try value(&$0, depth: depth + 1, isStructural: false); _ = $1
      }
    case .string: string(try scanner.string(), scanner, isStructural: isStructural)
    case .number:
      let number = try scanner.skip().range
      if !isStructural { self.number(number, scanner.bytes) }
    case .boolean, .null: try scanner.skip()
    }
  }

  private mutating func object(_ scanner: inout JSONScanner, depth: Int) throws {
    // `{"name": "Authorization", "value": "…"}`: some write headers so.
    var (named, valued): (Int64?, Range<Int>?) = (nil, nil)
    try scanner.object { scanner, key in
      let name = name(key, scanner)
      if let rule = rules.fields[name] {
        let range = try scanner.skip().range
        return replace(range, "\"\(RedactionRules.replacement)\"", rule, in: scanner.bytes)
      }
      let word = String(decoding: name, as: UTF8.self)
      let isStructural = depth <= 1 && RedactionRules.structural.contains(word)
      if !isStructural { string(key, scanner, isStructural: false) }
      let begin = scanner.offset
      let isName = (word == "name" || word == "key") && !rules.fields.isEmpty
      if isName, try scanner.peek() == .string {
        let start = scanner
        let text = try scanner.string()
        named = rules.fields[self.name(text, scanner)] ?? named
        scanner = start
      }
      try value(&scanner, depth: depth + 1, isStructural: isStructural)
      if word == "value" { valued = begin..<scanner.offset }
    }
    guard let named, let valued else { return }
    edits.removeAll { valued.contains($0.range.lowerBound) }
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

  private mutating func string(_ found: JSONScanner.Text, _ scanner: JSONScanner, isStructural: Bool) {
    let raw = UnsafeRawBufferPointer(rebasing: scanner.bytes[found.range])
    if isStructural, raw.count <= Self.longestIdentifier,
      raw.allSatisfy({ PatternFinder.isLetterOrDigit($0) || "._:-".utf8.contains($0) })
    {
      return
    }
    let redacted: [UInt8]?
    if found.isEscaped {
      redacted = Array(scanner.decode(found).utf8).withUnsafeBytes { text.redact($0, &inside) }
    } else {
      redacted = text.redact(raw, &inside)
    }
    guard let redacted else { return }
    var json = JSONOutput()
    json.string(String(decoding: redacted, as: UTF8.self))
    let quoted = String(buffer: json.buffer)
    edits.append(.init(range: found.range, text: String(quoted.dropFirst().dropLast()), rule: 0))
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
