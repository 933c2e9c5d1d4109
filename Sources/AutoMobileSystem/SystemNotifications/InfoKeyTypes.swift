import Foundation

/// What a notification carries, without saying it: the types of the values by their keys.
enum InfoKeyTypes {
  static let maximumCount = 32
  /// In bytes, of a key and of a type's name.
  static let maximumLength = 128

  /// Nil when there is nothing.
  static func of(_ info: [AnyHashable: Any]?) -> [String: String]? {
    guard let info, !info.isEmpty else { return nil }
    var types: [String: String] = [:]
    for (key, value) in info {
      guard types.count < maximumCount else { break }
      // A key that is no text may be anything, also something personal.
      let name = (key.base as? String) ?? "(\(Self.type(of: key.base)))"
      types[name.limited(to: maximumLength)] = Self.type(of: value)
    }
    return types
  }

  /// Apple's classes behind Swift's types have names of their own, which say nothing.
  private static func type(of value: Any) -> String {
    switch value {
    case is String: "String"
    case is NSNumber, is any Numeric, is Bool: "Number"
    case is Data: "Data"
    case is Date: "Date"
    case is URL: "URL"
    case is UUID: "UUID"
    case is [Any]: "Array"
    case is [AnyHashable: Any]: "Dictionary"
    default: String(describing: Swift.type(of: value)).limited(to: maximumLength)
    }
  }
}
