/// What is given to a statement beside its text.
package enum SQLValue: Sendable, Hashable {
  case int(Int64)
  case unsigned(UInt64)
  /// Of ClickHouse's type String, which holds any bytes.
  case bytes([UInt8])
  case ints([Int64])
  case strings([[UInt8]])

  package static func string(_ text: String) -> SQLValue { .bytes(Array(text.utf8)) }
  package static func strings(_ texts: [String]) -> SQLValue { .strings(texts.map { Array($0.utf8) }) }

  /// ClickHouse's name of its type.
  var type: String {
    switch self {
    case .int: "Int64"
    case .unsigned: "UInt64"
    case .bytes: "String"
    case .ints: "Array(Int64)"
    case .strings: "Array(String)"
    }
  }

  /// As the value of a parameter, before it is made part of an address.
  var bound: String {
    switch self {
    case .int(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .bytes(let bytes): SQLEscaping.escaped(bytes)
    case .ints(let values): "[\(values.map(String.init).joined(separator: ","))]"
    case .strings(let texts): "[\(texts.map { SQLEscaping.literal($0) }.joined(separator: ","))]"
    }
  }

  /// As a part of a statement, for servers that know no parameters.
  var literal: String {
    switch self {
    // Quoted, since the smallest number cannot be written without.
    case .int(let value): "CAST('\(value)' AS Int64)"
    case .unsigned(let value): "CAST('\(value)' AS UInt64)"
    case .bytes(let bytes): SQLEscaping.literal(bytes)
    // Quoted as well: small and large ones have no type in common without.
    case .ints(let values): "CAST([\(values.map { "'\($0)'" }.joined(separator: ","))] AS \(type))"
    case .strings: "CAST(\(bound) AS \(type))"
    }
  }
}
