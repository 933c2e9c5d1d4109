import Foundation

/// Writes an event's JSON front to back into bytes that are used again: what comes by the hundred thousand a second allocates
/// nothing beyond its first record.
struct EventBytes {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  // MARK: Structure

  mutating func object(_ body: (inout EventBytes) -> Void) {
    begin("{")
    body(&self)
    end("}")
  }

  mutating func array(_ body: (inout EventBytes) -> Void) {
    begin("[")
    body(&self)
    end("]")
  }

  /// For what is not written in one go: each `begin` needs its ``end(_:)``.
  mutating func begin(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
  }

  mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// A member's name; its value must follow.
  mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func member(_ name: StaticString, _ text: String) {
    self.name(name)
    string(text)
  }

  /// Left out when there is nothing to say.
  mutating func member(_ name: StaticString, optional text: String?) {
    if let text, !text.isEmpty { member(name, text) }
  }

  mutating func member(_ name: StaticString, _ number: Int64) {
    self.name(name)
    integer(number)
  }

  mutating func member(_ name: StaticString, _ number: Double) {
    self.name(name)
    self.number(number)
  }

  /// An identifier, in hexadecimal digits.
  mutating func member(_ name: StaticString, hex id: Data) {
    self.name(name)
    separate()
    bytes.append(UInt8(ascii: "\""))
    hex(id)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  // MARK: Values

  mutating func integer(_ number: Int64) {
    separate()
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(number.magnitude)
  }

  mutating func integer(_ number: UInt64) {
    separate()
    digits(number)
  }

  /// A number as text: what has more digits than other readers' numbers can hold.
  mutating func quoted(_ number: (inout EventBytes) -> Void) {
    begin("\"")
    number(&self)
    end("\"")
  }

  private mutating func digits(_ number: UInt64) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { space in
      var rest = number
      var start = space.count
      repeat {
        start -= 1
        space[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: space[start...]))
    }
    needsComma = true
  }

  /// JSON has no other than finite numbers: the others are written as text.
  mutating func number(_ number: Double) {
    guard number.isFinite else { return string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity") }
    separate()
    bytes.append(contentsOf: number.description.utf8)
    needsComma = true
  }

  mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func word(_ word: StaticString) {
    separate()
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  /// Whatever OpenTelemetry's attributes and bodies can be.
  mutating func value(_ value: OTLP.AnyValue) {
    switch value.value {
    case .stringValue(let text): string(text)
    case .boolValue(let isTrue): word(isTrue ? "true" : "false")
    case .intValue(let number): integer(number)
    case .doubleValue(let number): self.number(number)
    case .arrayValue(let list): array { for element in list.values { $0.value(element) } }
    case .kvlistValue(let list): object { $0.members(list.values) { _ in false } }
    case .bytesValue(let data): string(data.base64EncodedString())
    // An index into a table of texts, which profiles have and logs and spans have not.
    case .stringValueStrindex, nil: word("null")
    }
  }

  /// Attributes as members; of several with one name the first.
  ///
  /// - Parameter isLeftOut: those that have been written elsewhere.
  mutating func members(_ attributes: [OTLP.KeyValue], leavingOut isLeftOut: (String) -> Bool) {
    var seen: Set<String>? = attributes.count > 16 ? Set(minimumCapacity: attributes.count) : nil
    for (index, attribute) in attributes.enumerated() where !isLeftOut(attribute.key) {
      if seen == nil {
        if attributes[..<index].contains(where: { $0.key == attribute.key }) { continue }
      } else if seen?.insert(attribute.key).inserted != true {
        continue
      }
      name(attribute.key)
      value(attribute.value)
    }
  }

  // MARK: Bytes

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func hex(_ id: Data) {
    for byte in id {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 87 }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: text[start..<index])
      start = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case 0..<0x20:
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(Self.digit(byte >> 4))
        bytes.append(Self.digit(byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes.append(contentsOf: text[start...])
  }
}
