import Foundation

/// A parsed JSON text, compared byte for byte where strings are concerned: `String`'s own equality takes two spellings
/// of "é" for the same.
///
/// Not by `JSONSerialization`: on Linux it loses a U+FEFF that follows an escape.
enum JSONTree: Equatable, Decodable, CustomStringConvertible {
  case null
  case bool(Bool)
  case number(Double)
  case integer(Int64)
  case string([UInt8])
  case array([JSONTree])
  case object([[UInt8]: JSONTree])

  init(parsing bytes: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let string = try? container.decode(String.self) {
      self = .string(Array(string.utf8))
    } else if let integer = try? container.decode(Int64.self) {
      // 5.0 and 5 are the same number.
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let array = try? container.decode([JSONTree].self) {
      self = .array(array)
    } else {
      let object = try container.decode([String: JSONTree].self)
      self = .object(Dictionary(uniqueKeysWithValues: object.map { (Array($0.utf8), $1) }))
    }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "\(number)"
    case .integer(let integer): "\(integer)"
    case .string(let utf8): String(decoding: utf8, as: UTF8.self).debugDescription
    case .array(let array): array.description
    case .object(let object):
      "{"
        + object.map { "\(String(decoding: $0, as: UTF8.self).debugDescription): \($1)" }.sorted()
        .joined(separator: ", ") + "}"
    }
  }
}
