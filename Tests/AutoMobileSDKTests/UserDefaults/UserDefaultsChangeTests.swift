import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileInspection
@testable import AutoMobileRecorder

@Suite struct `Changes of preferences` {
  private final class Listener: UserDefaultsChangeListener, Sendable {
    let heard = Locked<[String]>([])
    func onPreferenceChanged(suiteName: String?, key: String?) {
      heard.withLock { $0.append("\(suiteName ?? "standard").\(key ?? "?")") }
    }
  }

  /// An inspector that records into an SDK, over preferences in memory.
  private final class Bench: Sendable {
    let store: MemoryDefaults
    let center = NotificationCenter()
    let inspector: UserDefaultsInspector
    let harness: SdkHarness

    init(_ values: [String: Any] = [:], system: Set<String> = []) throws {
      store = MemoryDefaults(values, system: system)
      inspector = UserDefaultsInspector(center: center)
      harness = try SdkHarness()
      inspector.setDriver(StoredDefaultsDriver(store: store))
      inspector.initialize(buffer: harness.sdk.getEventBuffer())
      inspector.setEnabled(true)
      inspector.settle()
    }

    deinit { inspector.reset() }

    func post() { center.post(name: UserDefaults.didChangeNotification, object: nil) }

    /// What was recorded after all that was posted has been looked at.
    func events() throws -> [SdkStorageChangedEvent] {
      inspector.settle()
      return try harness.recorded().compactMap { $0.event as? SdkStorageChangedEvent }
    }
  }

  @Test func `A20: a change is an event with its key, old and new value, type and number`() throws {
    let bench = try Bench(["theme": "dark", "count": 1, "gone": true])
    bench.store.set(nil, "theme", "light")
    bench.store.set(nil, "count", 2)
    bench.store.set(nil, "new", [1])
    bench.store.remove(nil, "gone")
    bench.post()
    let events = try bench.events()
    #expect(events.map(\.key) == ["count", "gone", "new", "theme"])
    #expect(events.map(\.previousValue) == ["1", "true", nil, "dark"])
    #expect(events.map(\.newValue) == ["2", nil, "[1]", "light"])
    #expect(events.map(\.valueType) == ["int", "bool", "array", "string"])
    #expect(events.map(\.changeType) == ["modify", "remove", "add", "modify"])
    #expect(events.map(\.sequenceNumber) == [1, 2, 3, 4])
    #expect(events.allSatisfy { $0.suiteName == nil })
    bench.post()
    #expect(try bench.events().count == 4)
  }

  @Test func `a value that changes its type, or only beyond what is told of it, has changed`() throws {
    let long = String(repeating: "a", count: 100_000)
    let bench = try Bench(["a": 1, "long": long])
    bench.store.set(nil, "a", true)
    bench.store.set(nil, "long", long + "b")
    bench.post()
    let events = try bench.events()
    #expect(events.map(\.valueType) == ["bool", "string"])
    #expect(events.last.map { $0.newValue == $0.previousValue && ($0.newValue?.utf8.count ?? 0) < 5000 } == true)
  }

  @Test func `what the system and the SDK keep is no change`() throws {
    let bench = try Bench(system: ["global"])
    for key in ["AppleLanguages", "NSX", "com.apple.x", "automobile:identity", "global"] {
      bench.store.set(nil, key, 1)
    }
    bench.store.set(nil, "mine", 1)
    bench.post()
    #expect(try bench.events().map(\.key) == ["mine"])
  }

  @Test func `secrets are not recorded, whatever they stand in`() throws {
    let bench = try Bench(["authToken": "old-secret"])
    bench.store.set(nil, "authToken", "s3cr3t-1")
    bench.store.set(nil, "user_password", Data("s3cr3t-2".utf8))
    bench.store.set(nil, "profile", ["name": "Lea", "accessToken": "s3cr3t-3"])
    bench.store.set(nil, "text", #"{"password":"s3cr3t-4"}"#)
    bench.store.set(nil, "line", "password=s3cr3t-5")
    bench.store.set(nil, "pin", 1234)
    bench.store.set(nil, "hasToken", true)
    bench.post()
    let events = try bench.events()
    #expect(events.count == 7)
    let all = events.flatMap { [$0.newValue ?? "", $0.previousValue ?? ""] }.joined()
    #expect(!all.contains("s3cr3t") && !all.contains("old-secret") && !all.contains("1234"))
    #expect(!all.contains(Data("s3cr3t-2".utf8).base64EncodedString()))
    #expect(events.first { $0.key == "profile" }?.newValue == #"{"accessToken":"REDACTED","name":"Lea"}"#)
    #expect(events.first { $0.key == "hasToken" }?.newValue == "true")
    // It has changed, which is told.
    #expect(events.first { $0.key == "authToken" }?.changeType == "modify")
  }

  @Test func `ten suites that change at once have numbers without a gap, and lose no last value`() async throws {
    let bench = try Bench()
    let suites = (0..<10).map { "suite.\($0)" }
    for suite in suites { bench.inspector.startListening(suiteName: suite) }
    bench.inspector.settle()
    await withTaskGroup(of: Void.self) { group in
      for suite in suites {
        group.addTask {
          for number in 1...200 {
            bench.store.set(suite, "key.\(number % 20)", number)
            bench.post()
          }
        }
      }
    }
    let events = try bench.events()
    #expect(events.map(\.sequenceNumber) == (0..<events.count).map { Int64($0 + 1) })
    for suite in suites {
      let own = events.filter { $0.suiteName == suite }
      #expect(Set(own.compactMap(\.key)).count == 20)
      var values: [String: String?] = [:]
      for event in own {
        // Each begins where the one before ended.
        #expect(event.previousValue == values[event.key ?? ""] ?? nil)
        values[event.key ?? ""] = event.newValue
      }
      for number in 181...200 { #expect(values["key.\(number % 20)"] == String(number)) }
    }
  }

  @Test func `listeners hear of each change, in order, and can call the inspector`() throws {
    let bench = try Bench()
    let listener = Listener()
    bench.inspector.addChangeListener(listener)
    bench.inspector.addChangeListener(listener)
    bench.inspector.startListening(suiteName: "s")
    bench.inspector.settle()
    bench.store.set("s", "b", 1)
    bench.store.set(nil, "z", 1)
    bench.store.set("s", "a", 1)
    bench.post()
    bench.inspector.settle()
    #expect(listener.heard.withLock { $0 } == ["standard.z", "s.a", "s.b"])
    bench.inspector.removeChangeListener(listener)
    bench.store.set("s", "c", 1)
    bench.post()
    #expect(try bench.events().count == 4)
    #expect(listener.heard.withLock { $0.count } == 3)
  }

  @Test func `nothing is read or recorded while it is disabled or does not listen`() throws {
    let bench = try Bench()
    func change(_ key: String) {
      bench.inspector.settle()
      bench.store.set(nil, key, 1)
      bench.post()
      bench.inspector.settle()
    }
    bench.inspector.setEnabled(false)
    #expect(bench.inspector.getDriver() == nil)
    change("while disabled")
    bench.inspector.setEnabled(true)
    change("enabled")
    bench.inspector.stopListening()
    change("while not listening")
    bench.inspector.startListening()
    change("listening")
    let events = try bench.events()
    #expect(events.map(\.key) == ["enabled", "listening"])
    #expect(events.map(\.sequenceNumber) == [1, 2])
  }

  @Test func `a suite that is named while another thread switches it on is followed`() throws {
    let bench = try Bench()
    let rounds = 10000
    for round in 1...rounds {
      bench.inspector.setEnabled(false)
      if round.isMultiple(of: 2) { bench.inspector.stopListening() }
      DispatchQueue.concurrentPerform(iterations: 2) { turn in
        if turn == 0 { bench.inspector.setEnabled(true) } else { bench.inspector.startListening(suiteName: "s") }
      }
      bench.inspector.settle()
      bench.store.set("s", "round", round)
      bench.post()
      bench.inspector.settle()
    }
    #expect(try bench.events().map(\.newValue) == (1...rounds).map(String.init))
  }

  @Test func `a change by the driver is told where the system tells nobody`() throws {
    let bench = try Bench()
    let driver = try #require(bench.inspector.getDriver())
    driver.setValue(suiteName: nil, key: "a", value: "1", type: .int)
    #expect(try bench.events().map(\.newValue) == ["1"])
  }

  @Test func `the app's own driver serves as well`() throws {
    struct Own: UserDefaultsDriver {
      let values: Locked<[KeyValuePair]>
      func getSuites() -> [UserDefaultsSuiteDescriptor] { [] }
      func getValues(suiteName: String?) -> [KeyValuePair] { values.withLock { $0 } }
      func getValue(suiteName: String?, key: String) -> KeyValuePair? { nil }
      func setValue(suiteName: String?, key: String, value: Any?, type: KeyValueType) {}
      func removeValue(suiteName: String?, key: String) {}
      func clear(suiteName: String?) {}
    }
    let bench = try Bench()
    let values = Locked([KeyValuePair(key: "a", value: "1", type: .int)])
    bench.inspector.setDriver(Own(values: values))
    bench.inspector.settle()
    values.withLock { $0 = [KeyValuePair(key: "a", value: "2", type: .int)] }
    bench.post()
    let event = try #require(try bench.events().last)
    #expect(event.key == "a" && event.newValue == "2")
  }
}
