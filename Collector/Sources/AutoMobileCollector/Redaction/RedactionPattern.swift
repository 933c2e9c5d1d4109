import Foundation

/// What is recognised wherever it stands in a text. A fixed list, each found in one pass with a bounded look around: nobody can write
/// one that takes long, and no text makes one of these take long.
enum RedactionPattern: String, Sendable, CaseIterable {
  /// `mira@example.com`, also with `%40`.
  case email
  /// 13 to 19 digits of a payment card, alone or in groups, whose check digit is right (Luhn) and that begin with 2 to 6.
  case card
  /// `Bearer …`, `Basic …`, and JSON Web Tokens.
  case token
  /// An international bank account number whose check digits are right (ISO 13616).
  case iban
  /// IPv4 and IPv6.
  case ip
  /// In international form: `+49 30 123456`.
  case phone

  var replacement: String { "[redacted:\(rawValue)]" }
}

/// Finds patterns in UTF-8.
struct PatternFinder {
  struct Match: Equatable {
    var range: Range<Int>
    var pattern: RedactionPattern
  }

  private let bytes: UnsafeRawBufferPointer
  private let patterns: Set<RedactionPattern>
  private var found: [Match] = []
  /// Nothing before it is looked at again.
  private var floor = 0

  private init(_ bytes: UnsafeRawBufferPointer, _ patterns: Set<RedactionPattern>) {
    (self.bytes, self.patterns) = (bytes, patterns)
  }

  /// In the order in which they stand, none in another one.
  static func find(_ patterns: Set<RedactionPattern>, in bytes: UnsafeRawBufferPointer) -> [Match] {
    var finder = PatternFinder(bytes, patterns)
    finder.run()
    return finder.found
  }

  // MARK: The pass

  private mutating func run() {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let end: Int?
      switch byte {
      case UInt8(ascii: "@"): end = patterns.contains(.email) ? email(at: index, after: index + 1) : nil
      case UInt8(ascii: "%"):
        end = patterns.contains(.email) && holds("%40", at: index) ? email(at: index, after: index + 3) : nil
      case UInt8(ascii: "+"): end = patterns.contains(.phone) ? phone(at: index) : nil
      case UInt8(ascii: ":"): end = patterns.contains(.ip) && isStart(index) ? six(at: index) : nil
      default:
        guard Self.isWord(byte), isStart(index) else {
          index += 1
          continue
        }
        end = word(at: index)
      }
      index = max(end ?? 0, index + 1)
    }
  }

  /// What can begin with a letter or a digit, where no word goes on.
  private mutating func word(at index: Int) -> Int? {
    let byte = bytes[index]
    if patterns.contains(.token), let end = token(at: index) { return end }
    if Self.isDigit(byte) {
      if patterns.contains(.card), let end = card(at: index) { return end }
      if patterns.contains(.ip), let end = four(at: index) { return end }
    } else if patterns.contains(.iban), let end = iban(at: index) {
      return end
    }
    if patterns.contains(.ip), Self.isHexadecimal(byte), let end = six(at: index) { return end }
    return nil
  }

  private mutating func note(_ range: Range<Int>, _ pattern: RedactionPattern) -> Int {
    found.append(Match(range: range, pattern: pattern))
    floor = range.upperBound
    return range.upperBound
  }

  // MARK: Addresses of mail

  private static let longestLocal = 64
  private static let longestDomain = 255

  private mutating func email(at sign: Int, after: Int) -> Int? {
    var start = sign
    while start > floor, sign - start < Self.longestLocal, isLocal(bytes[start - 1]) { start -= 1 }
    while start < sign, bytes[start] == UInt8(ascii: ".") { start += 1 }
    guard start < sign else { return nil }
    var (end, dot, dotBefore, label) = (after, after, after, after)
    while end < bytes.count, end - after < Self.longestDomain {
      if bytes[end] == UInt8(ascii: ".") {
        guard end > label else { break }
        (dotBefore, dot, label) = (dot, end, end + 1)
      } else if !Self.isLetterOrDigit(bytes[end]), bytes[end] != UInt8(ascii: "-"), bytes[end] < 0x80 {
        break
      }
      end += 1
    }
    // A dot at the end is a sentence's.
    if end == label, end > after { (end, dot) = (end - 1, dotBefore) }
    guard dot > after, end - dot > 2 else { return nil }
    return note(start..<end, .email)
  }

  /// Letters of other scripts included; `%40` itself ends it.
  private func isLocal(_ byte: UInt8) -> Bool {
    Self.isLetterOrDigit(byte) || byte >= 0x80 || "._+-!#$'*^`~".utf8.contains(byte)
  }

  // MARK: Cards

  /// Groups of digits with one blank or hyphen between them: the longest that is a number, from the first group on.
  private mutating func card(at start: Int) -> Int? {
    guard (UInt8(ascii: "2")...UInt8(ascii: "6")).contains(bytes[start]) else { return nil }
    var digits: [UInt8] = []
    var (index, best) = (start, 0)
    while index < bytes.count, digits.count <= 19 {
      if Self.isDigit(bytes[index]) {
        digits.append(bytes[index] - 0x30)
        index += 1
        let isEnd = index == bytes.count || !Self.isWord(bytes[index])
        if isEnd, (13...19).contains(digits.count), Self.isLuhn(digits) { best = index }
      } else if bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "-"), index + 1 < bytes.count,
        Self.isDigit(bytes[index + 1])
      {
        index += 1
      } else {
        break
      }
    }
    return best > 0 ? note(start..<best, .card) : nil
  }

  static func isLuhn(_ digits: [UInt8]) -> Bool {
    var sum = 0
    for (index, digit) in digits.reversed().enumerated() {
      let value = index % 2 == 0 ? Int(digit) : Int(digit) * 2
      sum += value > 9 ? value - 9 : value
    }
    return sum % 10 == 0 && digits.contains { $0 != 0 }
  }

  // MARK: Tokens

  private static let shortestToken = 8

  private mutating func token(at start: Int) -> Int? {
    for scheme in ["bearer", "basic"] {
      guard holds(scheme, at: start) else { continue }
      var begin = start + scheme.utf8.count
      let blanks = begin
      while begin < bytes.count, begin - blanks < 4, bytes[begin] == 0x20 || holds("%20", at: begin) {
        begin += bytes[begin] == 0x20 ? 1 : 3
      }
      guard begin > blanks else { continue }
      let end = self.end(from: begin) { Self.isLetterOrDigit($0) || "-._~+/=".utf8.contains($0) }
      if end - begin >= Self.shortestToken { return note(begin..<end, .token) }
    }
    guard holds("eyJ", at: start), bytes[start] == UInt8(ascii: "e"), bytes[start + 2] == UInt8(ascii: "J"),
      start == 0 || !Self.isBase64URL(bytes[start - 1])
    else { return nil }
    // Each part is looked at once, since none begins inside of another one.
    let header = end(from: start, while: Self.isBase64URL)
    guard header - start >= 8, header < bytes.count, bytes[header] == UInt8(ascii: ".") else { return nil }
    let payload = end(from: header + 1, while: Self.isBase64URL)
    guard payload - header > 4 else { return nil }
    let hasSignature = payload < bytes.count && bytes[payload] == UInt8(ascii: ".")
    return note(start..<(hasSignature ? end(from: payload + 1, while: Self.isBase64URL) : payload), .token)
  }

  private func end(from start: Int, while holds: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, holds(bytes[end]) { end += 1 }
    return end
  }

  // MARK: Bank accounts

  private mutating func iban(at start: Int) -> Int? {
    guard start + 15 <= bytes.count, Self.isLetter(bytes[start]), Self.isLetter(bytes[start + 1]),
      Self.isDigit(bytes[start + 2]), Self.isDigit(bytes[start + 3])
    else { return nil }
    var characters: [UInt8] = []
    var (index, best) = (start, 0)
    while index < bytes.count, characters.count < 34 {
      if Self.isLetterOrDigit(bytes[index]) {
        characters.append(bytes[index])
        index += 1
        let isEnd = index == bytes.count || !Self.isWord(bytes[index])
        if isEnd, characters.count >= 15, Self.isAccount(characters) { best = index }
      } else if bytes[index] == 0x20, index + 1 < bytes.count, Self.isLetterOrDigit(bytes[index + 1]),
        characters.count % 4 == 0
      {
        index += 1
      } else {
        break
      }
    }
    return best > 0 ? note(start..<best, .iban) : nil
  }

  private static func isAccount(_ characters: [UInt8]) -> Bool {
    var rest = 0
    for byte in characters[4...] + characters[..<4] {
      if isDigit(byte) {
        rest = (rest * 10 + Int(byte - 0x30)) % 97
      } else {
        rest = (rest * 100 + Int((byte | 0x20) - 0x61) + 10) % 97
      }
    }
    return rest == 1
  }

  // MARK: Addresses of machines

  private mutating func four(at start: Int) -> Int? {
    // The end of a longer number of a version.
    guard start == 0 || bytes[start - 1] != UInt8(ascii: ".") else { return nil }
    var index = start
    for part in 0..<4 {
      let begin = index
      while index < bytes.count, index - begin < 4, Self.isDigit(bytes[index]) { index += 1 }
      guard (1...3).contains(index - begin) else { return nil }
      guard bytes[begin..<index].reduce(0, { $0 * 10 + Int($1 - 0x30) }) < 256 else { return nil }
      if part < 3 {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else { return nil }
        index += 1
      }
    }
    guard index == bytes.count || !Self.isWord(bytes[index]) else { return nil }
    if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), Self.isDigit(bytes[index + 1]) { return nil }
    return note(start..<index, .ip)
  }

  /// With three colons at least, or two one after the other: times and ratios have fewer.
  private mutating func six(at start: Int) -> Int? {
    var (index, colons, isShort) = (start, 0, false)
    while index < bytes.count, index - start <= 45 {
      if bytes[index] == UInt8(ascii: ":") {
        colons += 1
        if index > start, bytes[index - 1] == UInt8(ascii: ":") { isShort = true }
      } else if !Self.isHexadecimal(bytes[index]), bytes[index] != UInt8(ascii: ".") {
        break
      }
      index += 1
    }
    while index > start, bytes[index - 1] == UInt8(ascii: ".") { index -= 1 }
    guard colons >= 3 || isShort && colons >= 2, index - start <= 45, index - start >= 3,
      index == bytes.count || !Self.isWord(bytes[index]),
      EgressAddress(String(decoding: bytes[start..<index], as: UTF8.self)) != nil
    else { return nil }
    return note(start..<index, .ip)
  }

  // MARK: Numbers of telephones

  private mutating func phone(at start: Int) -> Int? {
    guard start == 0 || !Self.isWord(bytes[start - 1]) else { return nil }
    var (index, digits, end) = (start + 1, 0, 0)
    var separators = 0
    while index < bytes.count, digits <= 15 {
      if Self.isDigit(bytes[index]) {
        if digits == 0, bytes[index] == UInt8(ascii: "0") { return nil }
        digits += 1
        separators = 0
        end = index + 1
      } else if digits > 0, separators < 2, " -./()".utf8.contains(bytes[index]) {
        separators += 1
      } else {
        break
      }
      index += 1
    }
    guard (7...15).contains(digits), end == bytes.count || !Self.isWord(bytes[end]) else { return nil }
    return note(start..<end, .phone)
  }

  // MARK: Bytes

  /// Whether no word goes on here.
  private func isStart(_ index: Int) -> Bool {
    guard index >= floor else { return false }
    guard index > 0 else { return true }
    let before = bytes[index - 1]
    if Self.isWord(before) {
      // `%20Bearer`, `=%2B49`: what was encoded ends with a digit, and what follows is a word of its own.
      return index >= 3 && bytes[index - 3] == UInt8(ascii: "%") && Self.isHexadecimal(bytes[index - 2])
        && Self.isHexadecimal(before)
    }
    return true
  }

  private func holds(_ text: String, at index: Int) -> Bool {
    guard index + text.utf8.count <= bytes.count else { return false }
    return zip(text.utf8, bytes[index...]).allSatisfy { Self.lower($0) == Self.lower($1) }
  }

  static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lower(byte)) }
  static func isLetterOrDigit(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
  private static func isWord(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || byte == UInt8(ascii: "_") }
  private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(lower(byte)) }
  private static func isBase64URL(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
