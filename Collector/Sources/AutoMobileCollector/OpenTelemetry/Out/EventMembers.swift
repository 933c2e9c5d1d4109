import Foundation

/// An event's members, as values of OpenTelemetry's: what is nested gets a name with dots, lists of other things than plain values
/// stand as JSON.
struct EventMembers {
  typealias Value = OTLP.AnyValue.OneOf_Value

  private(set) var all: [(name: String, value: Value)] = []

  /// Reads an event that is in the index; empty when it is no JSON.
  init(_ payload: UnsafeRawBufferPointer, maximumDepth: Int) {
    var scanner = JSONScanner(payload, maximumDepth: maximumDepth)
    var members = EventMembers()
    do {
      try scanner.document { try members.read(&$0, prefix: "", passedOver: OutgoingRule.passedOver) }
      self = members
    } catch {}
  }

  private init() {}

  func value(_ name: String) -> Value? { all.first { $0.name == name }?.value }

  func text(_ name: String) -> String? {
    if case .stringValue(let text)? = value(name) { text } else { nil }
  }

  func number(_ name: String) -> Double? {
    switch value(name) {
    case .intValue(let number): Double(number)
    case .doubleValue(let number): number
    default: nil
    }
  }

  private mutating func read(_ scanner: inout JSONScanner, prefix: String, passedOver: [StaticString] = []) throws {
    var found = self
    // Their array is this one's again below: with two owners, each member would copy it.
    all = []
    found.all.reserveCapacity(12)
    try scanner.object { scanner, key in
      for name in passedOver where scanner.matches(key, name) { return _ = try scanner.skip() }
      let name = scanner.decode(key)
      let path = prefix.isEmpty ? name : prefix + name
      if try scanner.peek() == .object {
        try found.read(&scanner, prefix: path + ".")
      } else if let value = try Self.value(&scanner) {
        found.all.append((path, value))
      }
    }
    self = found
  }

  private static func value(_ scanner: inout JSONScanner) throws -> Value? {
    switch try scanner.peek() {
    case .string: return .stringValue(scanner.decode(try scanner.string()))
    case .boolean: return .boolValue(try scanner.skipsTrue())
    case .number:
      let range = try scanner.skip().range
      let text = String(decoding: scanner.bytes[range], as: UTF8.self)
      return Int64(text).map { .intValue($0) } ?? Double(text).map { .doubleValue($0) }
    case .null:
      try scanner.skip()
      return nil
    case .array:
      let start = scanner.offset
      var values = OTLP.ArrayValue()
      var isPlain = true
      try scanner.array { scanner, _ in
        switch try scanner.peek() {
        case .object, .array:
          isPlain = false
          try scanner.skip()
        default:
          var element = OTLP.AnyValue()
          element.value = try value(&scanner)
          values.values.append(element)
        }
      }
      if isPlain { return .arrayValue(values) }
      return .stringValue(String(decoding: scanner.bytes[start..<scanner.offset], as: UTF8.self))
    case .object:
      let range = try scanner.skip().range
      return .stringValue(String(decoding: scanner.bytes[range], as: UTF8.self))
    }
  }
}
