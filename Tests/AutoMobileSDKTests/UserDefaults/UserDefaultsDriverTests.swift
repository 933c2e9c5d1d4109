import Foundation
import Testing

@testable import AutoMobileInspection

@Suite struct `The driver of preferences` {
  @Test func `A20: suites and values are told, set, removed and cleared`() throws {
    let store = MemoryDefaults(["b": 1, "a": "x", "AppleLanguages": ["de"]])
    store.set("group.app", "shared", true)
    let driver = StoredDefaultsDriver(store: store)
    #expect(
      driver.getSuites() == [
        UserDefaultsSuiteDescriptor(name: nil, displayName: "Standard", entryCount: 2),
        UserDefaultsSuiteDescriptor(name: "group.app", displayName: "group.app", entryCount: 1),
      ])
    #expect(driver.getValues(suiteName: nil).map(\.key) == ["AppleLanguages", "a", "b"])
    let shared = try #require(driver.getValue(suiteName: "group.app", key: "shared"))
    #expect(shared.value == "true" && shared.type == .bool)
    driver.setValue(suiteName: nil, key: "list", value: [1, 2], type: .array)
    driver.setValue(suiteName: "new.suite", key: "n", value: "7", type: .int)
    #expect(driver.getValue(suiteName: nil, key: "list")?.value == "[1,2]")
    #expect(driver.getValue(suiteName: "new.suite", key: "n")?.type == .int)
    driver.removeValue(suiteName: nil, key: "list")
    #expect(driver.getValue(suiteName: nil, key: "list") == nil)
    driver.clear(suiteName: "new.suite")
    #expect(driver.getValues(suiteName: "new.suite").isEmpty)
  }

  @Test func `clearing leaves alone what is the system's and the SDK's`() {
    let kept = [
      "AppleLocale", "NSLanguages", "com.apple.content-rating", "automobile:identity", "INNextHearbeatDate", "global",
    ]
    let store = MemoryDefaults(
      Dictionary(uniqueKeysWithValues: (kept + ["mine", "apple", "nsfw", "com.example"]).map { ($0, 1) }),
      system: ["global"])
    let driver = StoredDefaultsDriver(store: store)
    #expect(driver.getSuites().first?.entryCount == 4)
    driver.clear(suiteName: nil)
    #expect(store.values(nil).keys.sorted() == kept.sorted())
  }

  @Test func `in a release build nothing is written`() {
    let store = MemoryDefaults(["a": 1])
    let driver = StoredDefaultsDriver(store: store, allowsWrites: false)
    driver.setValue(suiteName: nil, key: "b", value: "x", type: .string)
    driver.removeValue(suiteName: nil, key: "a")
    driver.clear(suiteName: nil)
    #expect(store.values(nil).keys.sorted() == ["a"])
  }

  @Test(arguments: ["", "../../etc/x", "/tmp/x", "a/b", ".hidden", "a\0b", "a\nb", String(repeating: "x", count: 300)])
  func `a suite's name is no path`(name: String) {
    let store = MemoryDefaults()
    store.set(name, "k", 1)
    let driver = StoredDefaultsDriver(store: store)
    #expect(driver.getValues(suiteName: name).isEmpty && driver.getValue(suiteName: name, key: "k") == nil)
    driver.setValue(suiteName: name, key: "b", value: "x", type: .string)
    driver.clear(suiteName: name)
    #expect(store.values(name).keys.sorted() == ["k"])
  }

  @Test func `values that do not fit their type, and keys that are none, are not stored`() {
    let store = MemoryDefaults()
    let driver = StoredDefaultsDriver(store: store)
    driver.setValue(suiteName: nil, key: "a", value: "x", type: .int)
    driver.setValue(suiteName: nil, key: "b", value: nil, type: .string)
    driver.setValue(suiteName: nil, key: "", value: "x", type: .string)
    driver.setValue(suiteName: nil, key: String(repeating: "k", count: 5000), value: "x", type: .string)
    #expect(store.values(nil).isEmpty)
  }
}
