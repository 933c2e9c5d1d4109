/// Reads XML that may end anywhere, token by token, without recursion and without resolving anything.
struct XMLTokens {
  enum Token: Equatable {
    /// A tag as it stands, and the element's name.
    case open(Range<Int>, name: Range<Int>)
    case close(Range<Int>, name: Range<Int>)
    /// An element without contents, a declaration, a comment: what stands for itself.
    case single(Range<Int>)
    /// Text, or a CDATA section.
    case text(Range<Int>)
    /// The bytes end in the midst of markup.
    case cutOff(Range<Int>)
  }

  let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Nil at the end of the bytes.
  mutating func next() -> Token? {
    guard position < bytes.count else { return nil }
    let start = position
    guard bytes[start] == UInt8(ascii: "<") else {
      position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      return .text(start..<position)
    }
    let rest = bytes[start...]
    if rest.starts(with: "<!--".utf8) { return upTo("-->", from: start, isText: false) }
    if rest.starts(with: "<![CDATA[".utf8) { return upTo("]]>", from: start, isText: true) }
    if rest.starts(with: "<?".utf8) { return upTo("?>", from: start, isText: false) }
    guard let end = tagEnd(from: start + 1) else { return cutOff(from: start) }
    position = end + 1
    let range = start..<position
    if rest.starts(with: "<!".utf8) { return .single(range) }
    if rest.starts(with: "</".utf8) { return .close(range, name: name(from: start + 2, to: end)) }
    if bytes[end - 1] == UInt8(ascii: "/") { return .single(range) }
    return .open(range, name: name(from: start + 1, to: end))
  }

  private mutating func cutOff(from start: Int) -> Token {
    position = bytes.count
    return .cutOff(start..<position)
  }

  private mutating func upTo(_ mark: String, from start: Int, isText: Bool) -> Token {
    let mark = Array(mark.utf8)
    var at = start
    while at + mark.count <= bytes.count {
      if bytes[at..<at + mark.count].elementsEqual(mark) {
        position = at + mark.count
        return isText ? .text(start..<position) : .single(start..<position)
      }
      at += 1
    }
    return cutOff(from: start)
  }

  /// Where the tag's `>` is: not in quotes, nor in the brackets of a document type.
  private func tagEnd(from start: Int) -> Int? {
    var quote: UInt8?
    var brackets = 0
    for at in start..<max(start, bytes.count) {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">") where brackets <= 0: return at
      default: break
      }
    }
    return nil
  }

  private func name(from start: Int, to end: Int) -> Range<Int> {
    let start = min(start, end)
    let length = bytes[start..<end].prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }.count
    return start..<start + length
  }
}
