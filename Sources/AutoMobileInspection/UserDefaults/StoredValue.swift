import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// A value of a property list as its type and a text.
struct StoredValue: Equatable {
  var type: KeyValueType
  var text: String
  /// The end of the text was left out.
  var isTruncated = false
  /// Tells values apart whose texts were cut.
  var fingerprint: Int

  /// The longest text, in bytes.
  static let maximumText = 64 * 1024
  /// How many values within an array or a dictionary are looked at.
  static let maximumElements = 10_000

  init(_ value: Any) {
    var hasher = Hasher()
    switch value {
    // First: on Apple's platforms a Bool is an Int as well.
    case let bool as Bool where Self.isBoolean(value):
      self.init(.bool, bool ? "true" : "false", &hasher)
    case let int as Int64: self.init(.int, String(int), &hasher)
    case let int as Int: self.init(.int, String(int), &hasher)
    case let int as UInt64: self.init(.int, String(int), &hasher)
    case let double as Double: self.init(.double, "\(double)", &hasher)
    case let string as String: self.init(.string, string, &hasher)
    case let data as Data:
      // Its own hash is that of its beginning.
      data.withUnsafeBytes { hasher.combine(bytes: $0) }
      let kept = data.prefix(Self.maximumText / 4 * 3)
      self.init(.data, kept.base64EncodedString(), &hasher)
      isTruncated = kept.count < data.count
    case let date as Date: self.init(.date, Self.text(date), &hasher)
    case let array as [Any]: self.init(.array, list: array, &hasher)
    case let dictionary as [String: Any]: self.init(.dictionary, list: dictionary, &hasher)
    default: self.init(.unknown, String(describing: Swift.type(of: value)), &hasher)
    }
  }

  private init(_ type: KeyValueType, _ text: String, _ hasher: inout Hasher) {
    self.type = type
    hasher.combine(text)
    let bytes = text.utf8
    if bytes.count > Self.maximumText {
      self.text = String(text.unicodeScalars.prefix(Self.maximumText / 4)) + "…"
      isTruncated = true
    } else {
      self.text = text
    }
    fingerprint = hasher.finalize()
  }

  private init(_ type: KeyValueType, list: Any, _ hasher: inout Hasher) {
    var budget = Self.maximumElements
    let value = Self.json(list, depth: 0, &budget)
    self.init(type, Self.text(value), &hasher)
    if budget <= 0 { isTruncated = true }
  }

  /// A number can look like a boolean, and be none.
  static func isBoolean(_ value: Any) -> Bool {
    #if canImport(Darwin)
    CFGetTypeID(value as CFTypeRef) == CFBooleanGetTypeID()
    #else
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    #endif
  }

  // MARK: Arrays and dictionaries

  /// What JSON has no word for becomes text, as it does at the top.
  static func json(_ value: Any, depth: Int, _ budget: inout Int) -> MetadataValue {
    budget -= 1
    guard budget > 0, depth < MetadataValue.maximumDepth - 1 else { return "…" }
    switch value {
    case let bool as Bool where isBoolean(value): return .bool(bool)
    case let int as Int64: return .int(int)
    case let int as Int: return .int(Int64(int))
    case let double as Double: return .double(double)
    case let string as String: return .string(string)
    case let data as Data: return .string(data.prefix(maximumText / 4 * 3).base64EncodedString())
    case let date as Date: return .string(text(date))
    case let array as [Any]:
      var elements: [MetadataValue] = []
      for element in array {
        elements.append(json(element, depth: depth + 1, &budget))
        if budget <= 0 { break }
      }
      return .array(elements)
    case let dictionary as [String: Any]:
      var members: [String: MetadataValue] = [:]
      for (key, member) in dictionary.ordered(by: { $0.key < $1.key }) {
        members[key] = json(member, depth: depth + 1, &budget)
        if budget <= 0 { break }
      }
      return .object(members)
    default: return .string(String(describing: Swift.type(of: value)))
    }
  }

  /// JSON whose members are in order, so that equal values have equal texts.
  static func text(_ json: MetadataValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  // MARK: Dates

  static func text(_ date: Date) -> String {
    // What its text cannot hold: far beyond the years that have four digits, Foundation's calendar traps or lies.
    guard abs(date.timeIntervalSince1970) < 1e11 else { return "\(date.timeIntervalSince1970)" }
    return formatter(fractional: true).string(from: date)
  }

  static func date(_ text: String) -> Date? {
    formatter(fractional: true).date(from: text) ?? formatter(fractional: false).date(from: text)
  }

  private static func formatter(fractional: Bool) -> ISO8601DateFormatter {
    let formatter = ISO8601DateFormatter()
    if fractional { formatter.formatOptions.insert(.withFractionalSeconds) }
    return formatter
  }
}
