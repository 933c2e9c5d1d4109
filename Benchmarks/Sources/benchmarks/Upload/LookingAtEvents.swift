import AutoMobileSDK
import CAllocations
import Foundation

/// What it costs to look at events, on delivery's queue: processes find what an earlier launch has left, all events of one type, and
/// their processor time is compared: of those that have rules with those that have none, by turns.
enum LookingAtEvents {
  static let fillArgument = "--fill-for-look"
  static let lookArgument = "--look"
  private static let many = Measurement.isShort ? 5_000 : 100_000
  private static let few = many / 10
  #if DEBUG
  private static let isOptimized = false
  #else
  private static let isOptimized = true
  #endif

  static func measure(_ report: Report) {
    report.heading("Looking at \(many) navigation events of an earlier launch, by rules, on delivery's queue")
    let found = FoundSummaries()
    guard let receiver = CountingReceiver({ found.note($1) }) else { return report.expect("a receiver", false) }
    defer { receiver.stop() }
    withScratchDirectory { directory in
      let large = directory.appendingPathComponent("large")
      let small = directory.appendingPathComponent("small")
      for (place, count) in [(large, many), (small, few)] {
        guard let child = UploadChild([fillArgument, place.path, String(count)]),
          child.numbers()?.first == Double(count), child.end()
        else { return report.expect("a launch that has left \(count) events", false) }
      }
      let looks: [(name: String, place: URL, rules: RuleSet, count: Int)] =
        [("few", small, .none, few)] + RuleSet.allCases.map { ($0.rawValue, large, $0, many) }
      var times = [[Double]](repeating: [], count: looks.count)
      var allocations = times
      for _ in 0..<Measurement.count(50) {
        for (index, look) in looks.enumerated() {
          let copy = directory.appendingPathComponent("copy")
          defer { try? FileManager.default.removeItem(at: copy) }
          guard (try? FileManager.default.copyItem(at: look.place, to: copy)) != nil,
            let child = UploadChild([lookArgument, look.rules.rawValue, copy.path, receiver.url(look.name)]),
            let numbers = child.numbers(), numbers.count == 2, child.end()
          else { return report.expect("\(look.name): a process that has looked", false) }
          times[index].append(numbers[0])
          allocations[index].append(numbers[1])
          report.expect("\(look.name): events that its summary counts", found.take(), is: look.count)
        }
      }
      func more(_ values: [[Double]], _ index: Int, than other: Int, for count: Int) -> Double {
        let differences = zip(values[index], values[other]).map { $0 - $1 }.sorted()
        return differences[differences.count / 2] / Double(count)
      }
      report.value("an event, walked to and counted, no rule: ns", more(times, 1, than: 0, for: many - few), "%.0f")
      report.value("… with 20 rules, none concerns it: ns more", more(times, 2, than: 1, for: many), "%.1f")
      report.value("… with 20 rules, one concerns it: ns more", more(times, 3, than: 1, for: many), "%.1f", atMost: 30)
      report.value("… with 20 that all concern it: ns more, each", more(times, 4, than: 1, for: many * 20), "%.1f")
      guard allocations_available() else { return }
      report.value("allocations for an event, no rule", more(allocations, 1, than: 0, for: many - few), "%.3f")
      for (index, name) in [(2, "none concerns it"), (3, "one concerns it"), (4, "all concern it")] {
        let each = more(allocations, index, than: 1, for: many)
        report.value("… more with 20 rules, \(name)", each, "%.3f")
        // Unoptimized code allocates. Making the rules ready, once, is no allocation for an event.
        guard isOptimized else { continue }
        report.expect(
          "\(name): a rule allocates nothing for an event, and not \(each)", abs(each) * Double(many) < 5000)
      }
    }
  }

  /// Leaves a launch with so many events, delivered nowhere.
  static func fill(_ arguments: [String]) -> Never {
    guard arguments.count >= 3, let count = Int(arguments[2]) else { exit(64) }
    let sdk = AutoMobileSDK.shared
    // Nobody listens there.
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: .bench(arguments[1], "http://127.0.0.1:9", .everything, intervalMs: 3_600_000), integrations: [])
    let event = SdkNavigationEvent(
      destination: "ProductDetails", source: .swiftUINavigation,
      arguments: ["productId": "4711", "campaign": "autumn-sale"])
    for number in 1...count {
      sdk.record(event)
      // Slowly enough for a spare segment to be ready.
      if number % 1000 == 0 { usleep(10_000) }
    }
    let diagnostics = sdk.diagnostics
    UploadChild.say(Double(diagnostics.recorded) - Double(diagnostics.dropped.values.reduce(0, +)))
    exit(0)
  }

  /// Looks at what is there, until the earlier launch's session has been told: RULES DIRECTORY URL.
  static func look(_ arguments: [String]) -> Never {
    guard arguments.count >= 4, let rules = RuleSet(rawValue: arguments[1]) else { exit(64) }
    let sdk = AutoMobileSDK.shared
    allocations_count_all()
    let (start, allocated) = (UploadChild.processorTime(), allocations_of_all())
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: .bench(
        arguments[2], arguments[3], .whenTriggered(UploadRules(rules.rules)), intervalMs: 3_600_000), integrations: [])
    UploadChild.wait("the summary", pause: 10_000) { sdk.diagnostics.delivery?.eventsDelivered ?? 0 > 0 }
    UploadChild.say(
      Double(UploadChild.processorTime() - start), Double(allocations_of_all() - allocated))
    exit(0)
  }
}

/// The summaries that have come.
private final class FoundSummaries: @unchecked Sendable {
  // Unchecked because `lock` guards it.
  private let lock = NSLock()
  private var navigations: Int?

  func note(_ batch: ReceivedBatch) {
    for event in batch.events where event.type == "session_summary" {
      let counts = event.object["events"] as? [String: Any]
      lock.withLock { navigations = (counts?["navigation"] as? NSNumber)?.intValue ?? 0 }
    }
  }

  /// The navigations that the last one has counted.
  func take() -> Int {
    lock.withLock {
      defer { navigations = nil }
      return navigations ?? -1
    }
  }
}
