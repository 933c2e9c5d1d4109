import AutoMobileRecorder
import Foundation

/// `defaults.suites` and its like: what a collector may ask of the preferences of a debug build. Secrets are not told.
struct DefaultsCommands: Sendable {
  let inspector: UserDefaultsInspector

  func register(in registry: CommandRegistry) {
    registry.register("defaults.suites", changesSomething: false) { _ in try suites() }
    registry.register("defaults.list", changesSomething: false) { try list($0.arguments) }
    registry.register("defaults.get", changesSomething: false) { try get($0.arguments) }
    registry.register("defaults.set", changesSomething: true) { try set($0.arguments) }
    registry.register("defaults.remove", changesSomething: true) { try remove($0.arguments) }
    registry.register("defaults.clear", changesSomething: true) { try clear($0.arguments) }
  }

  /// Of a page's texts, as JSON.
  private static let pageBytes = 400 * 1024
  private static let pageSize = 500
  /// Of one value's text in a list; all of it comes with `defaults.get`.
  private static let valueBytes = 2048

  private func driver() throws -> any UserDefaultsDriver {
    guard let driver = inspector.getDriver() else {
      throw CommandFailure(
        "switched_off",
        "The app does not allow its preferences to be inspected: UserDefaultsInspector.shared.setEnabled(true) switches that on."
      )
    }
    return driver
  }

  private func suites() throws -> MetadataValue {
    let driver = try driver()
    let suites = ErrorBarrier.run(.userDefaultsDriver, or: []) { driver.getSuites() }
    return [
      "suites": .array(
        suites.prefix(Self.pageSize).map {
          [
            "name": $0.name.map { .string($0) } ?? .null, "displayName": .string($0.displayName),
            "entryCount": .int(Int64($0.entryCount)),
          ]
        })
    ]
  }

  private func list(_ arguments: ControlValue) throws -> MetadataValue {
    let (driver, suite) = (try driver(), try suite(arguments))
    let isComplete = try arguments.member("system").bool(default: false)
    let offset = try arguments.member("offset").integer(in: 0...1_000_000, default: 0)
    let values = ErrorBarrier.run(.userDefaultsDriver, or: []) {
      isComplete ? driver.getValues(suiteName: suite) : driver.ownValues(of: suite)
    }
    var entries: [MetadataValue] = []
    var size = 0
    for pair in values.dropFirst(Int(offset)).prefix(Self.pageSize) {
      let entry = Self.entry(pair, limit: Self.valueBytes)
      size += DatabaseResultLimits.jsonSize(pair.key) + Self.valueBytes
      guard size <= Self.pageBytes || entries.isEmpty else { break }
      entries.append(entry)
    }
    return ["entries": .array(entries), "offset": .int(offset), "total": .int(Int64(values.count))]
  }

  private func get(_ arguments: ControlValue) throws -> MetadataValue {
    let (driver, suite, key) = (try driver(), try suite(arguments), try key(arguments))
    let pair = ErrorBarrier.run(.userDefaultsDriver, or: nil) { driver.getValue(suiteName: suite, key: key) }
    guard let pair else { throw CommandFailure("no_key", "There is no value for this key.") }
    return Self.entry(pair, limit: StoredValue.maximumText)
  }

  private func set(_ arguments: ControlValue) throws -> MetadataValue {
    let (driver, suite, key) = (try driver(), try suite(arguments), try key(arguments))
    guard let type = try arguments.member("type").string().flatMap(KeyValueType.init), type != .unknown else {
      let known = KeyValueType.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", ")
      throw ControlError("give the type: \(known)")
    }
    let given = try arguments.member("value")
    let text: String
    switch given.value {
    case .string(let string)?: text = string
    case let other?: text = StoredValue.text(other)
    case nil: throw ControlError("the value is missing; to delete it, remove the key")
    }
    let value = try StoredValue.parse(text, as: type)
    ErrorBarrier.run(.userDefaultsDriver) { driver.setValue(suiteName: suite, key: key, value: value, type: type) }
    return try get(arguments)
  }

  private func remove(_ arguments: ControlValue) throws -> MetadataValue {
    let (driver, suite, key) = (try driver(), try suite(arguments), try key(arguments))
    let isThere = ErrorBarrier.run(.userDefaultsDriver, or: false) {
      let isThere = driver.getValue(suiteName: suite, key: key) != nil
      driver.removeValue(suiteName: suite, key: key)
      return isThere
    }
    return ["removed": .bool(isThere)]
  }

  private func clear(_ arguments: ControlValue) throws -> MetadataValue {
    let (driver, suite) = (try driver(), try suite(arguments))
    let count = ErrorBarrier.run(.userDefaultsDriver, or: 0) {
      let before = driver.ownValues(of: suite).count
      driver.clear(suiteName: suite)
      return before - driver.ownValues(of: suite).count
    }
    return ["removed": .int(Int64(count))]
  }

  // MARK: Arguments and answers

  private func suite(_ arguments: ControlValue) throws -> String? {
    let suite = try arguments.member("suite").string(maximumLength: 200)
    guard StoredDefaultsDriver.isValid(suiteName: suite) else { throw ControlError("there is no suite with this name") }
    return suite
  }

  private func key(_ arguments: ControlValue) throws -> String {
    guard let key = try arguments.member("key").string(maximumLength: 4096), StoredDefaultsDriver.isValid(key: key)
    else { throw ControlError("give a key: from 1 to 4096 bytes, none of them zero") }
    return key
  }

  private static func entry(_ pair: KeyValuePair, limit: Int) -> MetadataValue {
    let text = DefaultsSecrets.redacted(pair)
    let cut = text.map { $0.bounded(limit) }
    return [
      "key": .string(pair.key), "type": .string(pair.type.rawValue), "value": cut.map { .string($0) } ?? .null,
      // What is not told in full must not be written back.
      "isTruncated": .bool(pair.isTruncated || cut != text), "isRedacted": .bool(text != pair.value),
    ]
  }
}
