import Foundation

#if canImport(Darwin)
import CoreFoundation
#endif

extension MetadataValue {
  /// Makes the best of a value of any type: JSON's own kinds stay what they are, all else becomes text.
  ///
  /// Nested more than ``maximumDepth`` levels deep, arrays and dictionaries become null. Dictionaries whose keys are no
  /// strings get the keys' descriptions.
  init(converting value: Any) {
    self.init(converting: value, depth: 0)
  }

  private init(converting value: Any, depth: Int) {
    guard depth < MetadataValue.maximumDepth else {
      self = .null
      return
    }
    // First of all, because an NSNumber that is 0 or 1 would pass for a Bool.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
      self = MetadataValue(number: number)
      return
    }
    switch value {
    case let value as MetadataValue: self = value
    case let value as String: self = .string(value)
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger: self = MetadataValue(integer: value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .double(Double("\(value)") ?? Double(value))
    case let value as any BinaryFloatingPoint: self = .double(Double(value))
    case let value as any AnyOptional:
      self = value.wrapped.map { MetadataValue(converting: $0, depth: depth) } ?? .null
    case is NSNull: self = .null
    case let value as [Any]: self = .array(value.map { MetadataValue(converting: $0, depth: depth + 1) })
    case let value as [AnyHashable: Any]:
      let members = value.map { ("\($0.key)", MetadataValue(converting: $0.value, depth: depth + 1)) }
      self = .object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    case let value as Date: self = .string(value.iso8601)
    case let value as URL: self = .string(value.absoluteString)
    case let value as UUID: self = .string(value.uuidString)
    case let value as Data: self = .string(value.base64EncodedString())
    default: self = .string(String(describing: value))
    }
  }

  private init(integer value: some BinaryInteger) {
    self = Int64(exactly: value).map(MetadataValue.int) ?? .string("\(value)")
  }

  private init(number: NSNumber) {
    #if canImport(Darwin)
    let isBool = CFGetTypeID(number) == CFBooleanGetTypeID()
    #else
    // There Int8 has another letter.
    let isBool = String(cString: number.objCType) == "c"
    #endif
    if isBool {
      self = .bool(number.boolValue)
    } else if let int = Int64(exactly: number) {
      self = .int(int)
    } else {
      self = .double(number.doubleValue)
    }
  }
}

/// An optional of any type, as far as one inside an `Any` can be asked.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { map { $0 } }
}

extension Date {
  /// Like `2024-02-29T12:00:00.250Z`.
  fileprivate var iso8601: String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.string(from: self)
  }
}
