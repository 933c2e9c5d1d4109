/// Any JSON value, for the properties of ``SdkCustomEvent``. Literals will do:
///
///     let properties: [String: MetadataValue] = ["plan": "pro", "items": 3, "gift": nil, "tags": ["a", "b"]]
///
/// JSON has no infinities and no NaN: a double that is not finite is written as null. Arrays and objects nested more
/// than ``maximumDepth`` levels deep are written as null, too.
public enum MetadataValue: Sendable, Equatable {
  case string(String)
  case int(Int64)
  case double(Double)
  case bool(Bool)
  case null
  case array([MetadataValue])
  case object([String: MetadataValue])

  /// How many levels of arrays and objects an event may have, itself included.
  public static let maximumDepth = 32

  /// The string itself; of any other value its JSON.
  var text: String {
    if case .string(let string) = self { return string }
    return json ?? "null"
  }

  /// Nil when it would be longer than an event may be.
  var json: String? {
    try? withJSON(limit: EventJSONWriter.maximumSize) { json in
      json.value(self, depth: 0)
    } body: {
      String(decoding: $0.dropLast(), as: UTF8.self)  // the comma
    }
  }
}

extension MetadataValue: Codable {
  /// - Throws: `DecodingError` when there is something that JSON does not have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Bool before the numbers: some decoders take 0 and 1 for it, none takes true for a number.
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? container.decode(Int64.self) {
      self = .int(int)
    } else if let double = try? container.decode(Double.self) {
      self = .double(double)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([MetadataValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: MetadataValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let isTooDeep = encoder.codingPath.count >= MetadataValue.maximumDepth
    switch self {
    case .string(let string): try container.encode(string)
    case .int(let int): try container.encode(int)
    case .double(let double) where double.isFinite: try container.encode(double)
    case .bool(let bool): try container.encode(bool)
    case .array(let array) where !isTooDeep: try container.encode(array)
    case .object(let object) where !isTooDeep: try container.encode(object)
    case .null, .double, .array, .object: try container.encodeNil()
    }
  }
}

extension MetadataValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
  /// Of a key that comes twice, the last value counts.
  public init(dictionaryLiteral elements: (String, MetadataValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
