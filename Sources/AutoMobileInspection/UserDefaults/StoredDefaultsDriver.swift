import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Reads and writes the preferences of the process.
final class StoredDefaultsDriver: UserDefaultsDriver {
  private let store: any DefaultsStore
  /// In release builds of the SDK nothing is written.
  private let allowsWrites: Bool
  /// Suites that somebody has named.
  private let named = Locked<Set<String>>([])
  /// Called after a change of ours, which not every platform tells of.
  private let onChange = Locked<(@Sendable () -> Void)?>(nil)

  init(store: any DefaultsStore = SystemDefaultsStore(), allowsWrites: Bool = DefaultEndpoint.isDebugBuild) {
    self.store = store
    self.allowsWrites = allowsWrites
  }

  func setOnChange(_ body: (@Sendable () -> Void)?) { onChange.withLock { $0 = body } }

  /// Remembers a suite, so that it is among those that are told.
  func note(suiteName: String?) {
    guard let suiteName, Self.isValid(suiteName: suiteName) else { return }
    named.withLock { if $0.count < 256 { $0.insert(suiteName) } }
  }

  func getSuites() -> [UserDefaultsSuiteDescriptor] {
    let names: [String?] = [nil] + named.withLock { $0 }.union(store.suiteNames()).ordered().map { $0 }
    let system = store.systemKeys()
    return names.map { name in
      UserDefaultsSuiteDescriptor(
        name: name, displayName: name ?? "Standard",
        entryCount: store.values(name).keys.count { SystemKeys.isOfApp($0) && !system.contains($0) })
    }
  }

  func getValues(suiteName: String?) -> [KeyValuePair] {
    guard Self.isValid(suiteName: suiteName) else { return [] }
    return store.values(suiteName).ordered { $0.key < $1.key }.map { KeyValuePair(key: $0.key, StoredValue($0.value)) }
  }

  func getValue(suiteName: String?, key: String) -> KeyValuePair? {
    guard Self.isValid(suiteName: suiteName), let value = store.values(suiteName)[key] else { return nil }
    return KeyValuePair(key: key, StoredValue(value))
  }

  func setValue(suiteName: String?, key: String, value: Any?, type: KeyValueType) {
    guard let value = try? StoredValue.parse(value, as: type) else { return }
    write(suiteName, key) { self.store.set(suiteName, key, value) }
  }

  func removeValue(suiteName: String?, key: String) {
    write(suiteName, key) { self.store.remove(suiteName, key) }
  }

  func clear(suiteName: String?) {
    guard Self.isValid(suiteName: suiteName) else { return }
    let system = store.systemKeys()
    for key in store.values(suiteName).keys.ordered() where SystemKeys.isOfApp(key) && !system.contains(key) {
      removeValue(suiteName: suiteName, key: key)
    }
  }

  /// Values that are the app's own.
  func ownValues(suiteName: String?) -> [KeyValuePair] {
    let system = store.systemKeys()
    return getValues(suiteName: suiteName).filter { SystemKeys.isOfApp($0.key) && !system.contains($0.key) }
  }

  var isWritable: Bool { allowsWrites }

  private func write(_ suiteName: String?, _ key: String, _ body: () -> Void) {
    guard allowsWrites, Self.isValid(suiteName: suiteName), Self.isValid(key: key) else { return }
    note(suiteName: suiteName)
    body()
    onChange.withLock { $0 }?()
  }

  /// A suite becomes the name of a file.
  static func isValid(suiteName: String?) -> Bool {
    guard let suiteName else { return true }
    return (1...200).contains(suiteName.utf8.count) && !suiteName.hasPrefix(".")
      && !suiteName.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  }

  static func isValid(key: String) -> Bool { (1...4096).contains(key.utf8.count) && !key.utf8.contains(0) }
}

extension KeyValuePair {
  init(key: String, _ value: StoredValue) {
    self.init(
      key: key, value: value.text, type: value.type, isTruncated: value.isTruncated, fingerprint: value.fingerprint)
  }
}
