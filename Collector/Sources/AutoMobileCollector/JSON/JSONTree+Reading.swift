extension JSONTree {
  /// Reads the next value whole, in one pass.
  ///
  /// - Throws: ``JSONError``, with the place.
  init(_ scanner: inout JSONScanner) throws {
    switch try scanner.peek() {
    case .object:
      var members: [String: JSONTree] = [:]
      try scanner.object { scanner, key in members[scanner.decode(key)] = try JSONTree(&scanner) }
      self = .object(members)
    case .array:
      var elements: [JSONTree] = []
      try scanner.array { scanner, _ in elements.append(try JSONTree(&scanner)) }
      self = .array(elements)
    case .string: self = .string(scanner.decode(try scanner.string()))
    case .number: self = Self.number(of: scanner.bytes[try scanner.skip().range])
    case .boolean: self = .bool(try scanner.skipsTrue())
    case .null:
      try scanner.skip()
      self = .null
    }
  }

  /// What is whole and fits is an integer, however it is written.
  private static func number(of digits: Slice<UnsafeRawBufferPointer>) -> JSONTree {
    let text = String(decoding: digits, as: UTF8.self)
    if let value = Int64(text) { return .integer(value) }
    guard let value = Double(text) else { return .null }
    return Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension JSONTree {
  /// The elements of an array; none of anything else.
  var elements: [JSONTree] { if case .array(let values) = self { values } else { [] } }
  /// The members of an object; none of anything else.
  var members: [String: JSONTree] { if case .object(let members) = self { members } else { [:] } }

  /// A string as it is, anything else as JSON; nil for null.
  var words: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .integer(let number): String(number)
    default: text
    }
  }
}
