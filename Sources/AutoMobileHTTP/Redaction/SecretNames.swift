import Foundation

/// Tells whether a name is one under which secrets stand.
final class SecretNames: Sendable {
  /// Names that are looked for within others, by their first byte.
  private let parts: [UInt8: [[UInt8]]]
  /// Short ones, which must be a word.
  private let words: Set<[UInt8]>
  private let headers: Set<[UInt8]>

  init(headers: [String], fields: [String]) {
    let fields = fields.map { Self.words(of: Array($0.utf8)).flatMap { $0 } }.filter { !$0.isEmpty }
    parts = Dictionary(grouping: fields.filter { $0.count >= 5 }) { $0.first ?? 0 }
    words = Set(fields.filter { $0.count < 5 })
    self.headers = Set(headers.map { Self.words(of: Array($0.utf8)).flatMap { $0 } })
  }

  /// - Parameter name: without any encoding.
  func match(_ name: some Collection<UInt8>) -> Bool {
    let words = Self.words(of: name)
    if words.contains(where: self.words.contains) { return true }
    let joined = words.count == 1 ? words.first ?? [] : words.flatMap { $0 }
    return self.words.contains(joined) || headers.contains(joined) || isPartFound(in: joined)
  }

  func match(_ name: String) -> Bool { match(name.utf8) }

  /// Whether a long name is anywhere among the letters of these bytes, whatever stands between them.
  func isFoundAnywhere(in bytes: some Collection<UInt8>) -> Bool {
    isPartFound(in: bytes.compactMap(Self.letter))
  }

  private func isPartFound(in name: [UInt8]) -> Bool {
    for index in name.indices {
      guard let candidates = parts[name[index]] else { continue }
      if candidates.contains(where: { name[index...].starts(with: $0) }) { return true }
    }
    return false
  }

  /// The words of a name, in lower case: `accessToken`, `access_token` and `Access-Token` have the same two.
  private static func words(of name: some Collection<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    var wasLower = false
    func close() {
      if !word.isEmpty { words.append(word) }
      word = []
    }
    for byte in plain(name) {
      guard let letter = letter(byte) else {
        close()
        wasLower = false
        continue
      }
      let isUpper = letter != byte
      if isUpper, wasLower { close() }
      word.append(letter)
      wasLower = !isUpper
    }
    close()
    return words
  }

  /// Without accents, wide forms and the like, for they read the same.
  private static func plain(_ name: some Collection<UInt8>) -> [UInt8] {
    guard name.contains(where: { $0 >= 0x80 }) else { return Array(name) }
    let folded = String(decoding: name, as: UTF8.self).decomposedStringWithCompatibilityMapping
    return folded.unicodeScalars.filter { $0.isASCII }.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// In lower case; nil for what is neither a letter nor a digit.
  private static func letter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: nil
    }
  }
}
