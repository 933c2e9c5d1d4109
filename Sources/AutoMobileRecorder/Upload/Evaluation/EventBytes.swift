/// An event's JSON as it stands in the journal, looked into without decoding it: nothing is allocated, but for texts with escapes and
/// numbers that are no whole ones.
///
/// What is no JSON has no members. Work is bounded by the length: nothing recurses, and a member is looked for once from the
/// beginning.
struct EventBytes {
  /// Where a value stands in the bytes; a string with its quotes.
  typealias Place = Range<Int>

  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The value of a member of the whole, or of an object in it.
  ///
  /// - Parameters:
  ///   - name: as it stands in the JSON.
  ///   - object: where the object stands; nil: the whole.
  func member(_ name: [UInt8], of object: Place? = nil) -> Place? {
    var members = Members(bytes, object ?? 0..<bytes.count)
    while let member = members.next() {
      if equal(member.name, name) { return member.value }
    }
    return nil
  }

  /// The value of a member by its path: `properties.plan`. Where several ways of reading it lead to a value, the first in the JSON is
  /// taken.
  func value(at path: [UInt8]) -> Place? {
    // What is left of the path, and where. Each step goes into an object, so there are no more than the path has dots.
    var object = 0..<bytes.count
    var rest = path[...]
    while true {
      var members = Members(bytes, object)
      var inner: (value: Place, rest: ArraySlice<UInt8>)?
      while let member = members.next() {
        if equal(member.name, rest) { return member.value }
        let length = member.name.count
        if inner == nil, length < rest.count, rest[rest.startIndex + length] == UInt8(ascii: "."),
          equal(member.name, rest.prefix(length)), bytes[member.value.lowerBound] == UInt8(ascii: "{")
        {
          inner = (member.value, rest.dropFirst(length + 1))
        }
      }
      guard let inner else { return nil }
      (object, rest) = (inner.value, inner.rest)
    }
  }

  private func equal(_ place: Place, _ other: some Collection<UInt8>) -> Bool {
    place.count == other.count && bytes[place].elementsEqual(other)
  }

  /// Goes through the members of an object, in order; ends at what is no JSON.
  struct Members {
    private let bytes: UnsafeRawBufferPointer
    private var at: Int
    private let end: Int
    private var isFirst = true

    init(_ bytes: UnsafeRawBufferPointer, _ object: Place) {
      self.bytes = bytes
      at = object.lowerBound
      end = object.upperBound
    }

    mutating func next() -> (name: Place, value: Place)? {
      skipSpace()
      guard take(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ",")) else { return nil }
      isFirst = false
      skipSpace()
      guard at < end, bytes[at] == UInt8(ascii: "\""), let name = JSONBytes.end(ofString: bytes, at, end) else {
        return nil
      }
      // Without its quotes.
      let place = at + 1..<name - 1
      at = name
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      guard let value = JSONBytes.end(ofValue: bytes, at, end) else { return nil }
      defer { at = value }
      return (place, at..<value)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard at < end, bytes[at] == byte else { return false }
      at += 1
      return true
    }

    private mutating func skipSpace() {
      while at < end, JSONBytes.isSpace(bytes[at]) { at += 1 }
    }
  }
}

/// Where JSON values end.
enum JSONBytes {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// The index after a string's closing quote; nil when there is none.
  static func end(ofString bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
    var at = start + 1
    while at < end {
      switch bytes[at] {
      case UInt8(ascii: "\""): return at + 1
      case UInt8(ascii: "\\"): at += 2
      default: at += 1
      }
    }
    return nil
  }

  /// The index after a value. What is inside of an object or array is not checked, only its brackets and strings.
  static func end(ofValue bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
    guard start < end else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "\""): return self.end(ofString: bytes, start, end)
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    default:
      var at = start
      while at < end, !isEnd(bytes[at]) { at += 1 }
      return at > start ? at : nil
    }
    var depth = 0
    var at = start
    while at < end {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        guard let next = self.end(ofString: bytes, at, end) else { return nil }
        at = next
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }

  /// What ends a number, a truth or null.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || isSpace(byte)
  }
}
