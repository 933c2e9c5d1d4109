/// Any JSON, for looking at answers.
enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(key: String) -> JSONValue { if case .object(let members) = self { members[key] ?? .null } else { .null } }
  subscript(index: Int) -> JSONValue { array.indices.contains(index) ? array[index] : .null }

  var array: [JSONValue] { if case .list(let values) = self { values } else { [] } }
  var string: String? { if case .text(let value) = self { value } else { nil } }
  var int: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var double: Double? { if case .number(let value) = self { value } else { nil } }
}
