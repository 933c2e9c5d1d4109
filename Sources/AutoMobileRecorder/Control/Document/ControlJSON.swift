import Foundation

/// Reads JSON from outside with a limit on its nesting, which Foundation's own reader has not everywhere.
package enum ControlJSON {
  static func object(_ json: Data, maximumDepth: Int) throws -> [String: MetadataValue] {
    guard depth(of: json) <= maximumDepth else {
      throw ControlError("the JSON is nested deeper than \(maximumDepth) levels")
    }
    do {
      return try JSONDecoder().decode([String: MetadataValue].self, from: json)
    } catch {
      throw ControlError("this is not a JSON object")
    }
  }

  /// How deep brackets are nested, whatever stands between them.
  package static func depth(of json: Data) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var isEscaped = false
    for byte in json {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}
