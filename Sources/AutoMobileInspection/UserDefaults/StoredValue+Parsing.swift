import AutoMobileRecorder
import Foundation

/// What is to be stored, from what somebody typed.
extension StoredValue {
  /// A value of a type that a property list can hold.
  ///
  /// - Parameter value: of that type, or a text that stands for one, as ``StoredValue/text`` does.
  /// - Throws: `ControlError` that says what was expected.
  static func parse(_ value: Any?, as type: KeyValueType) throws -> Any {
    guard let value else { throw ControlError("the value is missing; to delete it, remove the key") }
    let text = value as? String
    switch type {
    case .string: if let text { return text }
    case .int:
      if let int = (value as? Int).flatMap({ isBoolean(value) ? nil : $0 }) ?? text.flatMap({ Int($0) }) { return int }
    case .double:
      if let double = (value as? Double) ?? (value as? Int).map(Double.init) ?? text.flatMap({ Double($0) }),
        double.isFinite
      {
        return double
      }
    case .bool:
      if let bool = value as? Bool, isBoolean(value) { return bool }
      if let bool = text.flatMap({
        ["true": true, "1": true, "yes": true, "false": false, "0": false, "no": false][$0.lowercased()]
      }) {
        return bool
      }
    case .data:
      if let data = (value as? Data) ?? text.flatMap({ Data(base64Encoded: $0) }) { return data }
    case .date:
      if let date = (value as? Date) ?? text.flatMap(date) { return date }
    case .array:
      if let array = try list(value, text) as? [Any] { return array }
    case .dictionary:
      if let dictionary = try list(value, text) as? [String: Any] { return dictionary }
    case .unknown: break
    }
    throw ControlError("expected \(expectations[type] ?? "another type")")
  }

  private static let expectations: [KeyValueType: String] = [
    .string: "text", .int: "a whole number", .double: "a number", .bool: "true or false", .data: "base64",
    .date: "a date like 2026-01-31T08:00:00Z", .array: "a JSON array without null",
    .dictionary: "a JSON object without null", .unknown: "one of the types that can be stored",
  ]

  /// From JSON, or what is a list already.
  private static func list(_ value: Any, _ text: String?) throws -> Any? {
    guard let text else { return isPropertyList(value, depth: 0) ? value : nil }
    let json = Data(text.utf8)
    guard ControlJSON.depth(of: json) < MetadataValue.maximumDepth,
      let value = try? JSONDecoder().decode(MetadataValue.self, from: json)
    else { return nil }
    return propertyList(value, depth: 0)
  }

  private static func propertyList(_ json: MetadataValue, depth: Int) -> Any? {
    guard depth <= MetadataValue.maximumDepth else { return nil }
    switch json {
    case .string(let string): return string
    case .int(let int): return Int(clamping: int)
    case .double(let double): return double
    case .bool(let bool): return bool
    case .null: return nil
    case .array(let elements):
      let list = elements.compactMap { propertyList($0, depth: depth + 1) }
      return list.count == elements.count ? list : nil
    case .object(let members):
      let list = members.compactMapValues { propertyList($0, depth: depth + 1) }
      return list.count == members.count ? list : nil
    }
  }

  /// Anything else throws an exception when it is stored.
  private static func isPropertyList(_ value: Any, depth: Int) -> Bool {
    guard depth <= MetadataValue.maximumDepth else { return false }
    switch value {
    case is String, is Bool, is Int, is Double, is Data, is Date: return true
    case let array as [Any]: return array.allSatisfy { isPropertyList($0, depth: depth + 1) }
    case let dictionary as [String: Any]: return dictionary.values.allSatisfy { isPropertyList($0, depth: depth + 1) }
    default: return false
    }
  }
}
