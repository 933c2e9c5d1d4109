import AutoMobileJournal
import Foundation

/// JSON from outside, read without recursion: a stack overflow's call stack is nested a thousand deep.
///
/// Values lie in one array and know their parent's next child, so that neither reading nor releasing takes a stack.
struct FlatJSON: Sendable {
  struct Malformed: Error, Equatable, CustomStringConvertible {
    var offset: Int
    var message: String
    var description: String { "at byte \(offset): \(message)" }
  }

  enum Kind: Sendable { case object, array, string, number, literal }

  fileprivate struct Node: Sendable {
    var kind: Kind
    /// The bytes: of a string without its quotes.
    var text: Range<Int>
    /// The member's name, without quotes; empty in an array.
    var name: Range<Int>
    var firstChild = -1
    var next = -1
  }

  static let maximumSize = 16 << 20
  static let maximumDepth = 8192
  static let maximumValues = 1 << 20

  fileprivate let bytes: [UInt8]
  fileprivate var nodes: [Node] = []

  init(_ data: Data) throws(Malformed) {
    bytes = Array(data.prefix(Self.maximumSize &+ 1))
    guard bytes.count <= Self.maximumSize else {
      throw Malformed(offset: Self.maximumSize, message: "longer than \(Self.maximumSize) bytes")
    }
    var reader = Reader(bytes: bytes)
    nodes = try reader.read()
  }

  /// The whole.
  var root: Value { Value(json: self, index: 0) }

  /// One value in it.
  struct Value: Sendable {
    fileprivate let json: FlatJSON
    fileprivate let index: Int

    fileprivate var node: Node { json.nodes[index] }
    var kind: Kind { node.kind }

    /// An object's member of this name; the first, when there are several.
    subscript(_ name: StaticString) -> Value? {
      guard kind == .object else { return nil }
      return children.first { child in
        name.withUTF8Buffer { $0.elementsEqual(json.bytes[child.node.name]) }
      }
    }

    /// The elements of an array, or an object's values.
    var children: some Sequence<Value> {
      sequence(state: node.firstChild) { next -> Value? in
        guard next >= 0 else { return nil }
        defer { next = json.nodes[next].next }
        return Value(json: json, index: next)
      }
    }

    /// A string's text; nil for anything else.
    var string: String? {
      guard kind == .string else { return nil }
      let raw = json.bytes[node.text]
      guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
      let quoted = Data([UInt8(ascii: "\"")] + raw + [UInt8(ascii: "\"")])
      return try? JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed) as? String
    }

    /// A number, toward zero; nil for anything else, and for what is negative or too large.
    var unsigned: UInt64? {
      guard kind == .number else { return nil }
      let text = String(decoding: json.bytes[node.text], as: UTF8.self)
      return UInt64(text) ?? Double(text).flatMap { $0 >= 0 && $0 < 0x1p63 ? UInt64(saturating: $0) : nil }
    }

    var integer: Int? {
      guard kind == .number else { return nil }
      let text = String(decoding: json.bytes[node.text], as: UTF8.self)
      return Int(text) ?? Double(text).map { Int(saturating: $0) }
    }

    var bool: Bool? {
      guard kind == .literal else { return nil }
      switch json.bytes[node.text].first {
      case UInt8(ascii: "t"): return true
      case UInt8(ascii: "f"): return false
      default: return nil
      }
    }
  }

  /// Goes through the bytes once.
  private struct Reader {
    let bytes: [UInt8]
    var at = 0
    var nodes: [Node] = []
    /// The containers that are open, with their last child so far.
    var open: [(index: Int, last: Int)] = []

    mutating func read() throws(Malformed) -> [Node] {
      try value(name: 0..<0)
      while let container = open.last {
        let isObject = nodes[container.index].kind == .object
        skipSpace()
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if peek == end {
          at &+= 1
          open.removeLast()
          continue
        }
        if container.last >= 0 {
          try expect(UInt8(ascii: ","))
          skipSpace()
        }
        var name = 0..<0
        if isObject {
          name = try string()
          skipSpace()
          try expect(UInt8(ascii: ":"))
        }
        try value(name: name)
      }
      skipSpace()
      guard at == bytes.count else { throw malformed("something follows the value") }
      return nodes
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func malformed(_ message: String) -> Malformed { Malformed(offset: at, message: message) }

    private mutating func value(name: Range<Int>) throws(Malformed) {
      skipSpace()
      guard let first = peek else { throw malformed("a value is missing") }
      guard nodes.count < FlatJSON.maximumValues else { throw malformed("more than \(FlatJSON.maximumValues) values") }
      let index = nodes.count
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < FlatJSON.maximumDepth else {
          throw malformed("nested deeper than \(FlatJSON.maximumDepth)")
        }
        add(Node(kind: first == UInt8(ascii: "{") ? .object : .array, text: at..<at, name: name))
        at &+= 1
        open.append((index, -1))
      case UInt8(ascii: "\""):
        let text = try string()
        add(Node(kind: .string, text: text, name: name))
      default:
        let start = at
        while let byte = peek, Self.isWord(byte) { at &+= 1 }
        guard at > start else { throw malformed("no value begins like this") }
        let kind = try self.kind(of: start..<at)
        add(Node(kind: kind, text: start..<at, name: name))
      }
    }

    /// Links a node to its parent.
    private mutating func add(_ node: Node) {
      let index = nodes.count
      nodes.append(node)
      guard let parent = open.last else { return }
      if parent.last < 0 { nodes[parent.index].firstChild = index } else { nodes[parent.last].next = index }
      open[open.count &- 1].last = index
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        return true
      default: return false
      }
    }

    private func kind(of text: Range<Int>) throws(Malformed) -> Kind {
      let word = String(decoding: bytes[text], as: UTF8.self)
      if ["true", "false", "null"].contains(word) { return .literal }
      guard Double(word) != nil, let first = word.utf8.first,
        first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      else { throw Malformed(offset: text.lowerBound, message: "neither a number nor true, false or null") }
      return .number
    }

    /// A string's bytes, without its quotes, as they stand.
    private mutating func string() throws(Malformed) -> Range<Int> {
      try expect(UInt8(ascii: "\""))
      let start = at
      while let byte = peek {
        at &+= 1
        if byte == UInt8(ascii: "\"") { return start..<at &- 1 }
        if byte == UInt8(ascii: "\\") { at = min(at &+ 1, bytes.count) }
      }
      throw malformed("a string does not end")
    }

    private mutating func expect(_ byte: UInt8) throws(Malformed) {
      guard peek == byte else { throw malformed("expected \(Character(UnicodeScalar(byte)))") }
      at &+= 1
    }

    private mutating func skipSpace() {
      while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at &+= 1 }
    }
  }
}
