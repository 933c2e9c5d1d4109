/// Sets XML out in lines, without recursion and within limits.
struct PrettyXML {
  private static let deepestIndent = 40
  private static let maximumDepth = 512

  private let bytes: [UInt8]
  private var text: [UInt8] = []
  /// The names of the open elements.
  private var open: [ArraySlice<UInt8>] = []
  /// The last tag opened an element, and nothing but text has come since.
  private var isLeaf = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil when the bytes are no XML (elements that are not closed in order, as in HTML); bytes that end in the midst of it
  /// are set out up to there.
  ///
  /// - Parameters:
  ///   - isTruncated: there was more, so it may end anywhere.
  ///   - limit: the most bytes of text; what is beyond is left out.
  static func text(_ bytes: [UInt8], isTruncated: Bool, limit: Int) -> (text: [UInt8], isWhole: Bool)? {
    var tokens = XMLTokens(bytes)
    var pretty = PrettyXML(bytes)
    var hasElements = false
    while let token = tokens.next() {
      guard pretty.text.count < limit else { return (pretty.text, false) }
      if case .cutOff = token, !isTruncated { return nil }
      if case .text = token {} else { hasElements = true }
      guard pretty.add(token) else { return nil }
    }
    guard hasElements, pretty.open.isEmpty || isTruncated else { return nil }
    return (pretty.text, true)
  }

  /// False when the token cannot stand here.
  private mutating func add(_ token: XMLTokens.Token) -> Bool {
    switch token {
    case .open(let range, let name):
      guard !name.isEmpty, open.count < Self.maximumDepth else { return false }
      newLine()
      text.append(contentsOf: bytes[range])
      open.append(bytes[name])
      isLeaf = true
    case .close(let range, let name):
      guard let last = open.popLast(), last == bytes[name] else { return false }
      if !isLeaf { newLine() }
      text.append(contentsOf: bytes[range])
      isLeaf = false
    case .single(let range), .cutOff(let range):
      newLine()
      text.append(contentsOf: bytes[range])
      isLeaf = false
    case .text(let range):
      guard bytes[range].contains(where: { $0 > 0x20 }) else { return true }
      if open.isEmpty { return false }
      if !isLeaf { newLine() }
      text.append(contentsOf: bytes[range])
    }
    return true
  }

  private mutating func newLine() {
    guard !text.isEmpty else { return }
    text.append(0x0A)
    text.append(contentsOf: repeatElement(0x20, count: 2 * min(open.count, Self.deepestIndent)))
  }
}
