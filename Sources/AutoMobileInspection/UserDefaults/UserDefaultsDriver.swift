import Foundation

/// Reads and writes preferences.
///
/// Methods may block for a moment: call them off the main thread. They may be called on several threads at once.
public protocol UserDefaultsDriver: Sendable {
  /// The suites that are known, the standard one first.
  func getSuites() -> [UserDefaultsSuiteDescriptor]
  /// All values of a suite, in the order of their keys.
  ///
  /// - Parameter suiteName: nil is the standard one; so everywhere here.
  func getValues(suiteName: String?) -> [KeyValuePair]
  func getValue(suiteName: String?, key: String) -> KeyValuePair?
  /// Sets a value: one of that type, or a text that stands for one.
  func setValue(suiteName: String?, key: String, value: Any?, type: KeyValueType)
  func removeValue(suiteName: String?, key: String)
  /// Removes all values of a suite that are the app's own.
  func clear(suiteName: String?)
}

/// A suite of preferences.
public struct UserDefaultsSuiteDescriptor: Sendable, Equatable {
  /// Nil is the standard suite.
  public let name: String?
  public let displayName: String
  public let entryCount: Int

  public init(name: String?, displayName: String, entryCount: Int) {
    self.name = name
    self.displayName = displayName
    self.entryCount = entryCount
  }
}

/// A stored value.
public struct KeyValuePair: Sendable, Equatable {
  public let key: String
  /// The value's text: data is base64, dates are ISO 8601, arrays and dictionaries are JSON.
  public let value: String?
  public let type: KeyValueType
  /// The end of the text was left out.
  public let isTruncated: Bool
  /// Tells values apart whose texts were cut.
  let fingerprint: Int

  public init(key: String, value: String?, type: KeyValueType) {
    self.init(key: key, value: value, type: type, isTruncated: false, fingerprint: value.hashValue)
  }

  init(key: String, value: String?, type: KeyValueType, isTruncated: Bool, fingerprint: Int) {
    self.key = key
    self.value = value
    self.type = type
    self.isTruncated = isTruncated
    self.fingerprint = fingerprint
  }
}

/// What kind of value is stored.
public enum KeyValueType: String, Sendable, Codable, CaseIterable {
  case string, int, double, bool, data, date, array, dictionary, unknown
}
