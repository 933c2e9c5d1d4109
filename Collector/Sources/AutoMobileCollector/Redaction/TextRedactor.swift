/// Takes out of a text what the rules name: patterns, and values behind the names of fields, as they stand in JSON, in headers, in
/// forms and in addresses. The text may be cut off anywhere.
struct TextRedactor {
  let rules: RedactionRules

  struct Edit {
    var range: Range<Int>
    var text: String
    var rule: Int64
  }

  /// Something as it was found, in the text as it is or as it reads.
  private struct Found {
    var range: Range<Int>
    var text: String
    var rule: Int64
    /// The quote before the name in JSON: what becomes a string has the same ones.
    var quote: Range<Int>?
  }

  /// What is escaped so often is looked at.
  private static let deepest = 3

  /// In the order in which they stand, none in another one.
  ///
  /// - Complexity: one pass over the text, and one more for each time that it is escaped, three at most.
  func edits(in bytes: UnsafeRawBufferPointer) -> [Edit] {
    var edits = found(in: bytes).map { edit($0, in: bytes) { $0 } }
    var decoded = DecodedText(bytes)
    for _ in 0..<Self.deepest {
      guard let text = decoded else { break }
      let inside = text.bytes.withUnsafeBytes { read in
        found(in: read) { bytes[text.original($0..<$0 + 1).lowerBound] != read[$0] }
      }
      edits += inside.map { edit($0, in: bytes, text.original) }
      decoded = text.decodedAgain
    }
    return Self.joined(edits)
  }

  private func edit(_ found: Found, in bytes: UnsafeRawBufferPointer, _ original: (Range<Int>) -> Range<Int>) -> Edit {
    let quote = found.quote.map { String(decoding: bytes[original($0)], as: UTF8.self) } ?? ""
    return Edit(range: original(found.range), text: quote + found.text + quote, rule: found.rule)
  }

  /// The first of those that stand in each other takes the others with it.
  private static func joined(_ edits: [Edit]) -> [Edit] {
    guard edits.count > 1 else { return edits }
    var joined: [Edit] = []
    for edit in edits.sorted(by: { ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count) }) {
      if let last = joined.last, last.range.upperBound > edit.range.lowerBound {
        let end = max(last.range.upperBound, edit.range.upperBound)
        joined[joined.count - 1].range = last.range.lowerBound..<end
      } else {
        joined.append(edit)
      }
    }
    return joined
  }

  private func found(in bytes: UnsafeRawBufferPointer, isEscaped: ((Int) -> Bool)? = nil) -> [Found] {
    let fields: [Found] = rules.fields.isEmpty ? [] : self.fields(in: FieldValues(bytes: bytes, isEscaped: isEscaped))
    guard !rules.patterns.isEmpty else { return fields }
    // What stands in a field that is taken out goes with it.
    var (found, next) = (fields, 0)
    for match in PatternFinder.find(Set(rules.patterns.keys), in: bytes) {
      while next < fields.count, fields[next].range.upperBound <= match.range.lowerBound { next += 1 }
      if next < fields.count, fields[next].range.overlaps(match.range) { continue }
      found.append(
        Found(range: match.range, text: match.pattern.replacement, rule: rules.patterns[match.pattern] ?? 0))
    }
    return found
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

  private func fields(in values: FieldValues) -> [Found] {
    let bytes = values.bytes
    var found: [Found] = []
    var index = 0
    while index < bytes.count {
      guard FieldValues.isName(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, FieldValues.isName(bytes[index]) { index += 1 }
      guard index - start <= RedactionRules.longestField,
        let rule = rules.fields[bytes[start..<index].map(PatternFinder.lower)],
        let value = values.value(behind: index, of: start)
      else { continue }
      // What was taken out before, by a sender or here, is not counted again.
      if !values.isTakenOut(value) {
        found.append(Found(range: value.range, text: RedactionRules.replacement, rule: rule, quote: value.quote))
      }
      index = max(index, value.range.upperBound)
    }
    return found
  }
}
