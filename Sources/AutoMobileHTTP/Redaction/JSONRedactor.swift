/// Replaces secrets in JSON that may be truncated, in one pass over its bytes. All else stays byte by byte as it was.
struct JSONRedactor {
  /// Why what is left after redaction may still hold a secret.
  struct Doubt: Error {}

  private let names: SecretNames
  private var tokens: JSONTokens
  private var result: [UInt8] = []
  /// Up to where the bytes have been copied.
  private var copied = 0
  /// Of each open object.
  private var objects: [Members] = []
  /// The last member's name, decoded.
  private var name: [UInt8] = []

  /// `{"name":"password","value":"…"}`
  private struct Members {
    var namesSecret = false
    var hasValue = false
  }

  /// - Throws: ``JSONTokens/Malformed`` when this is no JSON, ``Doubt`` when it has secrets in a way that is not understood.
  static func redacted(_ json: [UInt8], _ names: SecretNames) throws -> [UInt8] {
    var redactor = JSONRedactor(json, names)
    return try redactor.run()
  }

  private init(_ json: [UInt8], _ names: SecretNames) {
    self.names = names
    tokens = JSONTokens(json)
    result.reserveCapacity(json.count)
  }

  private mutating func run() throws -> [UInt8] {
    while let token = try tokens.next() {
      switch token {
      case .name(let range):
        name = try decoded(range)
        note(name)
        if names.match(name) { try skipValue() }
      case .string(let range, let isWhole): try string(range, isWhole)
      case .objectStart:
        objects.append(Members())
        name = []
      case .arrayStart: name = []
      case .objectEnd:
        try check(objects.popLast())
        name = []
      case .arrayEnd: name = []
      case .scalar: break
      }
    }
    for object in objects { try check(object) }
    return finish()
  }

  /// Replaces the value that follows a name, whatever it is.
  private mutating func skipValue() throws {
    guard let first = try tokens.next() else { return }
    var start = tokens.position - 1
    switch first {
    case .string(let range, _): start = range.lowerBound - 1
    case .scalar(let range): start = range.lowerBound
    default: break
    }
    let depth = tokens.containers.count
    if first == .objectStart || first == .arrayStart {
      while tokens.containers.count >= depth, try tokens.next() != nil {}
    }
    replace(start)
  }

  private mutating func string(_ range: Range<Int>, _ isWhole: Bool) throws {
    let text = tokens.bytes[range]
    if let member = objects.indices.last, Self.naming.contains(where: { name.elementsEqual($0.utf8) }),
      tokens.containers.last == true, names.match(try decoded(range))
    {
      objects[member].namesSecret = true
    }
    let isDocument = tokens.containers.last == true && name.elementsEqual("query".utf8)
    var secrets = SecretText(names: names)
    secrets.isGraphQL = isDocument && GraphQLDocument.isOne(text)
    if secrets.isFound(in: text) {
      replace(range.lowerBound - 1)
    } else if !isWhole {
      // Without the half of an escape that may stand at the end.
      copy(upTo: range.upperBound)
      copied = tokens.bytes.count
    }
    if tokens.containers.last == true { name = [] }
  }

  private static let naming = ["name", "key", "field", "header", "id"]

  private mutating func note(_ name: [UInt8]) {
    guard let last = objects.indices.last else { return }
    if name.starts(with: "value".utf8) { objects[last].hasValue = true }
  }

  private func check(_ object: Members?) throws {
    if let object, object.namesSecret, object.hasValue { throw Doubt() }
  }

  /// Puts the mark in the place of everything from `start` to the end of the last token.
  private mutating func replace(_ start: Int) {
    copy(upTo: start)
    result.append(UInt8(ascii: "\""))
    result.append(contentsOf: HTTPRedaction.mark.utf8)
    result.append(UInt8(ascii: "\""))
    copied = tokens.position
  }

  private mutating func copy(upTo end: Int) {
    if end > copied { result.append(contentsOf: tokens.bytes[copied..<end]) }
  }

  private mutating func finish() -> [UInt8] {
    copy(upTo: tokens.bytes.count)
    return result
  }

  /// A name without escapes of any kind.
  private func decoded(_ range: Range<Int>) throws -> [UInt8] {
    var name = Array(tokens.bytes[range])
    for _ in 0..<TextDecoding.maximumRounds {
      guard let decoded = TextDecoding.decodedOnce(name) else { return name }
      name = decoded
    }
    throw Doubt()
  }
}
