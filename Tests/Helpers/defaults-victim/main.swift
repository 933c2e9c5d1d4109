// Stores preferences by the system's `UserDefaults` and tells how they are read. Whoever starts it gives it a home of its own.

import Foundation

@testable import AutoMobileInspection

let driver = StoredDefaultsDriver(allowsWrites: true)
let suite = "com.example.defaults-victim"
let values: [(String, Any, KeyValueType)] = [
  ("bool", true, .bool), ("int", 1, .int), ("double", 1.5, .double), ("string", "s", .string),
  ("data", Data([1, 2]), .data),
  ("date", Date(timeIntervalSinceReferenceDate: 0), .date), ("array", [1, "a"] as [Any], .array),
  ("dictionary", ["a": [true]], .dictionary),
]
for (key, value, type) in values { driver.setValue(suiteName: suite, key: key, value: value, type: type) }
for pair in driver.ownValues(suiteName: suite) { print(pair.key, pair.type.rawValue, pair.value ?? "none") }
driver.clear(suiteName: suite)
print("left", driver.ownValues(suiteName: suite).count)
