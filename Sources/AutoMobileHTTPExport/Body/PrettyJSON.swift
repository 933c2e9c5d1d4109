import AutoMobileHTTP

/// Sets JSON out in lines, without recursion and within limits.
struct PrettyJSON {
  /// Deeper levels are not indented further: else a line of brackets would become a square of blanks.
  private static let deepestIndent = 40

  private var text: [UInt8] = []
  private var depth = 0
  /// Nothing has come yet in the container that is open.
  private var isFirst = true
  private var isAfterName = false

  private init() {}

  /// Nil when the bytes are no JSON; bytes that end in the midst of it are set out up to there.
  ///
  /// - Parameters:
  ///   - isTruncated: there was more, so it may end anywhere.
  ///   - limit: the most bytes of text; what is beyond is left out.
  static func text(_ bytes: [UInt8], isTruncated: Bool, limit: Int) -> (text: [UInt8], isWhole: Bool)? {
    var tokens = JSONTokens(bytes)
    var pretty = PrettyJSON()
    var end = 0
    do throws(JSONTokens.Malformed) {
      while let token = try tokens.next() {
        guard pretty.text.count < limit else { return (pretty.text, false) }
        if case .string(_, isWhole: false) = token, !isTruncated { return nil }
        pretty.add(token, of: bytes)
        end = tokens.position
      }
    } catch {
      return nil
    }
    // A name that was cut off, or a comma after which nothing came, is no token.
    let rest = bytes[end...].drop { $0 <= 0x20 }
    guard isTruncated || rest.isEmpty && pretty.depth == 0 && !pretty.isAfterName else { return nil }
    pretty.text.append(contentsOf: rest)
    return pretty.text.isEmpty ? nil : (pretty.text, true)
  }

  private mutating func add(_ token: JSONTokens.Token, of bytes: [UInt8]) {
    switch token {
    case .objectStart: start(UInt8(ascii: "{"))
    case .arrayStart: start(UInt8(ascii: "["))
    case .objectEnd: end(UInt8(ascii: "}"))
    case .arrayEnd: end(UInt8(ascii: "]"))
    case .name(let range):
      place()
      add(bytes[range], isWhole: true)
      text.append(contentsOf: [UInt8(ascii: ":"), 0x20])
      isAfterName = true
    case .string(let range, let isWhole):
      place()
      add(bytes[range], isWhole: isWhole)
    case .scalar(let range):
      place()
      text.append(contentsOf: bytes[range])
    }
  }

  private mutating func start(_ bracket: UInt8) {
    place()
    text.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if !isFirst { newLine() }
    text.append(bracket)
    isFirst = false
  }

  /// Goes to where the next name or value stands.
  private mutating func place() {
    if !isAfterName {
      if !isFirst, depth > 0 { text.append(UInt8(ascii: ",")) }
      newLine()
    }
    isFirst = false
    isAfterName = false
  }

  private mutating func newLine() {
    guard !text.isEmpty else { return }
    text.append(0x0A)
    text.append(contentsOf: repeatElement(0x20, count: 2 * min(max(0, depth), Self.deepestIndent)))
  }

  private mutating func add(_ string: ArraySlice<UInt8>, isWhole: Bool) {
    text.append(UInt8(ascii: "\""))
    text.append(contentsOf: string)
    if isWhole { text.append(UInt8(ascii: "\"")) }
  }
}
