import Foundation
import Testing

@testable import AutoMobileInspection
@testable import AutoMobileRecorder

@Suite struct `Commands for preferences` {
  private let store = MemoryDefaults(["name": "Lea", "apiToken": "s3cr3t", "AppleLocale": "de_DE", "count": 3])
  private let inspector = UserDefaultsInspector(center: NotificationCenter())
  private let registry = CommandRegistry(access: .all)

  init() {
    inspector.setDriver(StoredDefaultsDriver(store: store))
    inspector.setEnabled(true)
    DefaultsCommands(inspector: inspector).register(in: registry)
  }

  private func run(_ name: String, _ arguments: MetadataValue) async throws -> CommandOutcome {
    let command = try ControlCommand(
      ControlValue("c", ["id": "1", "command": .string(name), "arguments": arguments, "timeoutSeconds": 30]))
    return await withCheckedContinuation { continuation in
      registry.run(command) { continuation.resume(returning: $0) }
    }
  }

  private func result(_ name: String, _ arguments: MetadataValue = [:]) async throws -> MetadataValue {
    let outcome = try await run(name, arguments)
    guard case .result(let value) = outcome else {
      Issue.record("\(outcome)")
      return .null
    }
    return value
  }

  private func code(_ name: String, _ arguments: MetadataValue) async throws -> String? {
    if case .failed(let code, _) = try await run(name, arguments) { code } else { nil }
  }

  private func entry(_ key: String, _ type: String, _ value: String, isRedacted: Bool = false) -> MetadataValue {
    [
      "key": .string(key), "type": .string(type), "value": .string(value), "isTruncated": false,
      "isRedacted": .bool(isRedacted),
    ]
  }

  @Test func `preferences are listed, set, removed and cleared over the control channel`() async throws {
    let standard: MetadataValue = ["name": .null, "displayName": "Standard", "entryCount": 3]
    #expect(try await result("defaults.suites") == ["suites": [standard]])
    #expect(
      try await result("defaults.list") == [
        "entries": [
          entry("apiToken", "string", "REDACTED", isRedacted: true), entry("count", "int", "3"),
          entry("name", "string", "Lea"),
        ],
        "offset": 0, "total": 3,
      ])
    guard case .object(let all) = try await result("defaults.list", ["system": true, "offset": 3]) else { return }
    #expect(all["total"] == 4)
    #expect(try await result("defaults.get", ["key": "name"]) == entry("name", "string", "Lea"))
    #expect(try await code("defaults.get", ["key": "none"]) == "no_key")
    #expect(
      try await result("defaults.set", ["key": "count", "type": "int", "value": 8]) == entry("count", "int", "8"))
    #expect(
      try await result("defaults.set", ["suite": "s", "key": "list", "type": "array", "value": [1, true]])
        == entry("list", "array", "[1,true]"))
    #expect(try await result("defaults.remove", ["key": "count"]) == ["removed": true])
    #expect(try await result("defaults.remove", ["key": "count"]) == ["removed": false])
    #expect(try await result("defaults.clear", [:]) == ["removed": 2])
    #expect(store.values(nil).keys.sorted() == ["AppleLocale"])
  }

  @Test(
    arguments: [
      ("defaults.get", [:]), ("defaults.get", ["key": ""]), ("defaults.get", ["key": 1]),
      ("defaults.set", ["key": "a", "type": "int"]), ("defaults.set", ["key": "a", "type": "int", "value": "x"]),
      ("defaults.set", ["key": "a", "type": "unknown", "value": "x"]), ("defaults.set", ["key": "a", "value": "x"]),
      ("defaults.list", ["suite": "../x"]), ("defaults.list", ["suite": "/etc"]), ("defaults.clear", ["suite": ""]),
      ("defaults.list", ["offset": -1]), ("defaults.list", [1]),
    ] as [(String, MetadataValue)])
  func `arguments of the wrong kind are named`(name: String, arguments: MetadataValue) async throws {
    #expect(try await code(name, arguments) == "invalid_arguments")
  }

  @Test func `long lists come in pages within the bounds of an answer`() async throws {
    for number in 0..<1200 {
      store.set(
        "many", "key \(number + 1000)", String(repeating: number.isMultiple(of: 50) ? "\u{1}" : "x", count: 5000))
    }
    var offset: Int64 = 0
    var keys: [String] = []
    while offset < 1200 {
      let outcome = try await run("defaults.list", ["suite": "many", "offset": .int(offset)])
      #expect(try JSONEncoder().encode(outcome.json).count <= CommandRegistry.maximumResult)
      guard case .result(.object(let page)) = outcome, case .array(let entries)? = page["entries"] else { return }
      try #require(!entries.isEmpty)
      offset += Int64(entries.count)
      for case .object(let entry) in entries {
        keys.append(entry["key"]?.text ?? "")
        #expect(entry["isTruncated"] == true)
      }
    }
    #expect(keys == (0..<1200).map { "key \($0 + 1000)" })
  }

  @Test func `what is switched off says so`() async throws {
    inspector.setEnabled(false)
    for name in ["defaults.suites", "defaults.list", "defaults.clear"] {
      #expect(try await code(name, ["key": "a"]) == "switched_off")
    }
    #expect(store.values(nil).count == 4)
  }
}
