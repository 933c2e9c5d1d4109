import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

/// Rules against a reference evaluator, over random events.
@Suite struct RuleMatcherTests {
  /// Events that are about what rules look at, more often than chance would have it.
  private struct Events {
    var any: RandomEvents
    var random: SeededRandom

    init(seed: UInt64) { (any, random) = (RandomEvents(seed: seed), SeededRandom(seed &+ 1)) }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    mutating func one<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func next() -> any SdkEvent {
      switch below(10) {
      case 0:
        return SdkNetworkRequestEvent(
          url: "https://a.example.com/x", method: one(["GET", "get", "POST"]),
          statusCode: one([nil, 200, 204, 399, 400, 404, 500, 503, 599, 600]),
          durationMs: one([nil, 0, 2999.5, 3000, 1e6]), error: one([nil, "lost"]),
          host: one([nil, "example.com", "A.Example.COM", "notexample.com", ".example.com"]),
          path: one([nil, "/checkout/1", "/check", "/\"quoted\""]))
      case 1:
        return SdkLogEvent(
          level: one(LogLevel.allCases), tag: one([nil, "net", "n\"et", "netz"]), message: "m", filterName: "f")
      case 2: return SdkInteractionEvent(interactionType: one(["tap", "rage_tap", "dead_tap", "rage"]))
      case 3:
        return SdkHangEvent(durationMs: one([0, 1999.9, 2000, 5e9]), stackTrace: nil, bundleId: "b")
      case 4:
        return SdkCustomEvent(
          name: one(["App Launch", "Frames", "Capture", "purchase"]),
          properties: [
            "totalMs": one([.int(3000), .int(2999), .double(3000.5), .string("9000"), .null]),
            "frozen": one([.int(0), .int(5), .bool(true)]), "plan": one(["pro", "free", "p\"ro", .int(1)]),
            "items": one([.int(3), .string("3"), .string("3 "), .string("0x3"), .double(2.5), .object(["n": 1])]),
            "a.b": one([.int(1), .bool(true)]), "é": "ü\u{1F600}\n",
          ] as [String: MetadataValue])
      case 5:
        return SdkLifecycleEvent(
          state: one(["previous_launch_ended", "foreground"]),
          details: [
            "launchId": one([UUID().uuidString, "x"]),
            "verdict": one(PreviousLaunchEnd.Verdict.allCases.map(\.rawValue) + ["odd"]),
          ])
      default: return any.event(of: one(SdkEventType.allCases))
      }
    }

    mutating func trigger() -> UploadTrigger {
      switch below(14) {
      case 0: return .crash
      case 1: return .hang(atLeastMs: one([0, 2000, 1e9]))
      case 2: return .unexpectedEnd
      case 3: return .handledFailure
      case 4, 5:
        return .request(
          UploadRequest(
            host: one([nil, nil, "example.com", "*.example.com"]), pathPrefix: one([nil, nil, "/check", "/\"q"]),
            method: one([nil, nil, "get", "POST"]), status: one([nil, nil, 404...404, 500...599]),
            atLeastMs: one([nil, nil, 3000]), failed: one([nil, true, false])))
      case 6: return .rageTap
      case 7: return .deadTap
      case 8: return .slowLaunch(atLeastMs: 3000)
      case 9: return .frozenFrames(atLeast: 5)
      case 10: return .log(atLeast: one(LogLevel.allCases), tag: one([nil, "net", "n\"et"]))
      case 11: return .capture
      default:
        return .event(
          UploadEvent(
            type: one([nil, .custom, .networkRequest, .log]), name: one([nil, nil, "purchase"]),
            where: (0..<below(3)).map { _ in condition() }))
      }
    }

    mutating func condition() -> UploadCondition {
      UploadCondition(
        one([
          "properties.plan", "properties.items", "properties.a.b", "properties.é", "statusCode", "durationMs", "method",
          "name", "level", "properties", "nothing.there", "properties.items.n", "timestamp", "",
        ]),
        one([
          .equals("pro"), .equals("p\"ro"), .equals(1), .equals(.double(2.5)), .equals(true), .equals(.null),
          .contains("r"), .contains("\u{1F600}\n"), .contains("\""), .atLeast(3), .atMost(3), .atLeast(-1e300),
          .equals("GET"), .equals(404),
        ]))
    }
  }

  @Test(arguments: 0..<8) func `rules apply to the events that a simple evaluator says`(seed: UInt64) throws {
    var events = Events(seed: seed)
    let places = MemberPlaces()
    var applied = 0
    for _ in 0..<150 {
      let event = events.next()
      let rules = (0..<20).map { UploadRule("rule \($0)", when: events.trigger()) }
      let compiled = CompiledRules(rules)
      let json = try withEncodedEvent(event, contextId: 7) { Array($0) }
      let object = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
      let expected = rules.indices.filter { ReferenceRules.applies(rules[$0].when, to: object) }
      var found: [Int] = []
      json.withUnsafeBytes {
        let bytes = EventBytes($0, remembering: places)
        compiled.match(bytes, type: EventHead(bytes).type) { found.append($0) }
      }
      #expect(found == expected, "\(String(decoding: json, as: UTF8.self)) \(rules.map(\.when))")
      applied += found.count
    }
    #expect(applied > 50)
  }

  @Test func `members are found where Foundation finds them, and damaged bytes have none that hurt`() throws {
    var events = Events(seed: 99)
    for _ in 0..<300 {
      let json = try withEncodedEvent(events.next(), contextId: nil) { Array($0) }
      let object = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
      json.withUnsafeBytes { bytes in
        let event = EventBytes(bytes)
        let head = EventHead(event)
        #expect(SdkEventType.allCases[head.type].rawValue == object["eventType"] as? String)
        #expect(head.timestamp == (object["timestamp"] as? NSNumber)?.int64Value || head.timestamp == nil)
        // Foundation's older reader leaves out a byte order mark at the beginning of a text.
        let members = try? JSONDecoder().decode([String: MetadataValue].self, from: Data(json))
        for (name, value) in members ?? [:] where !name.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 })
        {
          guard let place = event.member(Array(name.utf8)) else { Issue.record("no \(name)"); continue }
          if case .string(let text) = value {
            #expect(event.withText(place) { String(decoding: $0, as: UTF8.self) } == text)
          }
        }
      }
      for _ in 0..<20 {
        var damaged = json
        for _ in 0...events.below(3) { damaged[events.below(damaged.count)] = UInt8(events.below(256)) }
        damaged.removeLast(events.below(damaged.count))
        damaged.withUnsafeBytes { bytes in
          let event = EventBytes(bytes)
          _ = EventHead(event)
          _ = event.value(at: Array("properties.plan.x".utf8))
        }
      }
    }
  }

  @Test func `an event whose type no rule concerns is not looked into`() {
    let compiled = CompiledRules((0..<20).map { UploadRule("\($0)", when: .hang(atLeastMs: 0)) })
    // No JSON at all: looking would find nothing, and a rule without conditions on fields would apply.
    [UInt8]().withUnsafeBytes { bytes in
      compiled.match(EventBytes(bytes), type: EventTypeNumber.of(.log)) { _ in Issue.record("looked") }
    }
    let always = CompiledRules([UploadRule("all", when: .handledFailure)])
    var count = 0
    [UInt8]().withUnsafeBytes { bytes in
      always.match(EventBytes(bytes), type: EventTypeNumber.of(.handledException)) { _ in count += 1 }
    }
    #expect(count == 1)
  }

  @Test func `of an app's own rule the first four conditions count, all of them`() throws {
    let event = SdkCustomEvent(name: "e", properties: ["a": 1, "b": 2, "c": 3, "d": 4] as [String: MetadataValue])
    let json = try withEncodedEvent(event, contextId: 7) { Array($0) }
    let holding = zip(["a", "b", "c", "d"], 1...4).map { name, number in
      UploadCondition("properties.\(name)", .equals(.int(Int64(number))))
    }
    let failing = UploadCondition("properties.a", .equals(9))
    func applies(_ conditions: [UploadCondition]) -> Bool {
      let compiled = CompiledRules([UploadRule("r", when: .event(UploadEvent(type: .custom, where: conditions)))])
      var count = 0
      json.withUnsafeBytes {
        compiled.match(EventBytes($0), type: EventTypeNumber.of(.custom)) { _ in count += 1 }
      }
      return count == 1
    }
    for count in 1...4 {
      let some = Array(holding.prefix(count))
      #expect(applies(some))
      // Each of them counts.
      for index in 0..<count {
        var others = some
        others[index] = failing
        #expect(!applies(others), "\(index) of \(count)")
      }
    }
    #expect(applies(holding + [failing]))
  }

  @Test func `names are cut off, and rules of the same are told apart`() {
    let long = String(repeating: "é", count: 200)
    var rule = UploadRule(long, when: .crash)
    #expect(rule.name == String(repeating: "é", count: 40))
    rule.name = long + "!"
    #expect(rule.name.utf8.count == 80)
    let names = CompiledRules((0..<64).map { UploadRule(long + "\($0)", when: .crash) }).rules.map(\.name)
    #expect(Set(names).count == 64 && names.allSatisfy { $0.utf8.count <= 80 })
  }

  @Test func `more rules than there may be are cut off, and numbers out of bounds become the nearest`() {
    let many = CompiledRules((0..<1000).map { UploadRule("\($0)", when: .crash) })
    #expect(many.rules.count == 64 && many.cutOff == 936)
    let span = UploadSpan(minutesBefore: .infinity, minutesAfter: .nan, perDay: -5, priority: 1_000_000)
    #expect(span.minutesBefore == 60 && span.minutesAfter == 0 && span.perDay == 1 && span.priority == 9)
    var rules = UploadRules([], keepDays: .max, bytesPerDay: -1)
    #expect(rules.keepDays == 90 && rules.bytesPerDay == 0)
    rules.keepDays = .min
    #expect(rules.keepDays == 1)
  }
}
