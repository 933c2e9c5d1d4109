import AutoMobileSDK
import CAllocations
import Foundation

/// What rules cost the app: recording with everything sent, with twenty rules that do not concern the event, and with twenty of which
/// one does, by turns. A process for each, several times, because where a process has its memory makes nanoseconds.
enum RecordingWithRules {
  static let argument = "--record-with-rules"
  private static let kinds = ["everything", RuleSet.others.rawValue, RuleSet.one.rawValue]

  static func measure(_ report: Report) {
    report.heading("Recording a navigation event where not everything is sent, durable at return")
    guard let receiver = CountingReceiver() else { return report.expect("a receiver", false) }
    defer { receiver.stop() }
    var medians = [[Double]](repeating: [], count: kinds.count)
    var allocations = [Set<Double>](repeating: [], count: kinds.count)
    for _ in 0..<Measurement.count(75) / 15 + (Measurement.isShort ? 1 : 0) {
      withScratchDirectory { directory in
        let children = kinds.compactMap {
          UploadChild([argument, $0, directory.appendingPathComponent($0).path, receiver.url($0)])
        }
        let begun = children.compactMap { $0.numbers()?.first }
        guard begun.count == kinds.count else { return report.expect("three processes that record", false) }
        for (index, count) in begun.enumerated() { allocations[index].insert(count) }
        for _ in 0..<Measurement.count(15) {
          for (index, child) in children.enumerated() {
            guard let median = child.ask("round")?.first else { return report.expect("a round of each", false) }
            medians[index].append(median)
          }
        }
        for (index, child) in children.enumerated() {
          guard let counts = child.ask("end"), counts.count == 4, child.end() else {
            return report.expect("\(kinds[index]): a process that ends as it should", false)
          }
          let (calls, recorded, overflow, marks) = (Int(counts[0]), Int(counts[1]), Int(counts[2]), Int(counts[3]))
          report.expect("\(kinds[index]): events that the ledger counts", recorded, in: calls...calls + 100)
          report.expect("\(kinds[index]): no room for", overflow, in: 0...calls / 10)
          report.expect(
            "\(kinds[index]): marks, after the event that one of the rules names", marks,
            is: kinds[index] == RuleSet.one.rawValue ? 1 : 0)
        }
      }
    }
    guard medians.allSatisfy({ $0.count == medians[0].count && !$0.isEmpty }) else { return }
    let everything = Measurement(nanoseconds: medians[0])
    report.time("record(_:), everything is sent", everything)
    for (index, target) in [(1, 5.0), (2, 30.0)] {
      let name = index == 1 ? "20 rules, none concerns it" : "20 rules, one concerns it"
      report.time("… \(name)", Measurement(nanoseconds: medians[index]), over: everything)
      let more = zip(medians[index], medians[0]).map { $0 - $1 }.sorted()
      report.value("… more than that, ns, median of \(more.count) rounds", more[more.count / 2], "%.1f", atMost: target)
    }
    guard allocations_available() else { return }
    report.value("allocations in 20 calls, everything is sent", allocations[0].max() ?? -1, "%.0f")
    report.expect(
      "allocations are the same, whatever is sent: \(allocations)",
      allocations.reduce(Set()) { $0.union($1) }.count == 1)
  }

  /// The child's side: KIND DIRECTORY URL.
  static func serve(_ arguments: [String]) -> Never {
    guard arguments.count >= 4 else { exit(64) }
    let rules = RuleSet(rawValue: arguments[1]).map { UploadPolicy.whenTriggered(UploadRules($0.rules)) }
    let sdk = AutoMobileSDK.shared
    sdk.initialize(
      bundleId: "com.example.bench",
      configuration: .bench(arguments[2], arguments[3], rules ?? .everything, intervalMs: 3_600_000), integrations: [])
    sdk.setUserId("u-17")
    let event = SdkNavigationEvent(
      destination: "ProductDetails", source: .swiftUINavigation,
      arguments: ["productId": "4711", "campaign": "autumn-sale"])
    var calls = 0
    func record(_ times: Int) {
      for _ in 0..<times { sdk.record(event) }
      calls += times
    }
    record(100)
    // What has everything sent has had its first delivery then, and waits for an hour.
    usleep(Measurement.isShort ? 100_000 : 1_500_000)
    record(100)
    // Of many times the least: now and then a call wakes a queue that has to look at what is there, which is no part of recording.
    let allocations = (0..<20).map { _ in
      usleep(2000)
      let before = allocations_of_thread()
      record(20)
      return allocations_of_thread() - before
    }
    UploadChild.say(Double(allocations.min() ?? 0))
    while let line = readLine() {
      if line == "end" { break }
      let round = Measurement(samples: 40, rest: 0.001) { record($0) }
      UploadChild.say(round.median)
    }
    sdk.record(SdkNavigationEvent(destination: "Checkout", source: .custom))
    calls += 1
    sdk.getEventBuffer()?.flush()
    if arguments[1] == RuleSet.one.rawValue {
      UploadChild.wait("the mark") { sdk.diagnostics.upload?.marks == 1 }
    } else {
      usleep(100_000)
    }
    let diagnostics = sdk.diagnostics
    guard diagnostics.upload?.isKeeping == (rules != nil),
      rules == nil || diagnostics.upload?.rules.count == RuleSet.count
    else { exit(4) }
    UploadChild.say(
      Double(calls), Double(diagnostics.recorded), Double(diagnostics.dropped["bufferOverflow"] ?? 0),
      Double(diagnostics.upload?.marks ?? 0))
    exit(0)
  }
}
