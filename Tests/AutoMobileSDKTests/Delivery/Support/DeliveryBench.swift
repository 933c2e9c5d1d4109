import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// A directory with journals, and workers that deliver from it: what a test of delivery needs around it.
final class DeliveryBench: Sendable {
  let directory: TemporaryDirectory
  let clock = ManualClock()

  init() throws { directory = try TemporaryDirectory() }

  var setAsideURL: URL { directory.file(SetAsideFile.name) }

  /// The lines of the set-aside file.
  var setAside: [[String: Any]] {
    let text = (try? String(contentsOf: setAsideURL, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The numbers of the events that were set aside.
  var setAsideNumbers: [Int] {
    setAside.compactMap { ($0["event"] as? [String: Any])?["name"] as? String }
      .compactMap { Int($0.dropFirst("event ".count)) }.sorted()
  }

  func journal(segmentSize: Int = 64 * 1024, budget: Int = 32 << 20) throws -> Journal {
    var options = JournalOptions(directory: directory.url, owner: "test")
    options.singleInstance = true
    options.segmentSize = segmentSize
    options.budget = budget
    options.freeDiskFloor = 0
    return try Journal(options)
  }

  /// A journal that sees these launches as over: the last thread of a journal in the same process may take a moment.
  func journal(after dead: [LaunchID]) async throws -> Journal {
    let journal = try journal()
    #expect(await eventually { Set(dead).isSubset(of: journal.launches()) })
    return journal
  }

  func worker(
    _ journal: Journal, to url: URL, change: (inout DeliveryOptions) -> Void = { _ in }
  ) throws -> DeliveryWorker {
    var endpoint = try #require(DeliveryEndpoint(base: url, apiKey: "key"))
    // Long enough for a busy machine, and shorter than what the tests wait, so that a request which Foundation never
    // ends is tried again in time. Tests of time limits set their own.
    endpoint.timeouts = HTTPTimeouts(silence: 10, whole: 15)
    var options = DeliveryOptions(.endpoint(endpoint))
    options.sender = DeliverySender(bundleId: "com.example", sdkVersion: "0.1.0")
    options.setAside = SetAsideFile(url: setAsideURL)
    change(&options)
    return DeliveryWorker(journal: journal, options: options, clock: clock.clock)
  }

  /// A launch that recorded some events and ended without delivering them; its name.
  func deadLaunch(_ events: [String]) throws -> LaunchID {
    let journal = try journal()
    defer { journal.close() }
    journal.setContext(1)
    events.forEach { journal.appendSurely($0) }
    return journal.launch
  }
}

extension DeliveryWorker {
  /// How many events the receiver has taken or refused. (A journal has one reader: a test must not look into it.)
  var settled: UInt64 { status.eventsDelivered + status.eventsRejected }
}

extension LaunchLedger {
  var lost: UInt64 { dropped.values.reduce(0, +) }
}

extension Journal {
  /// Appends, and waits for room when there is none.
  func appendSurely(_ json: String, _ kind: RecordKind = .event) {
    let deadline = Date() + 90
    while Array(json.utf8).withUnsafeBytes({ append(kind, $0) }) == nil, Date() < deadline { usleep(500) }
  }

  func setContext(_ id: Int) {
    setPreamble(.context, Array(#"{"contextId":\#(id),"sessionId":"session \#(id)","tags":{"a":"b"}}"#.utf8))
  }
}

/// An event's JSON as the recorder writes it, with a number by which a test knows it again.
func event(_ number: Int, context: Int? = 1, filling: Int = 0) -> String {
  let text = String(repeating: "x", count: filling)
  let reference = context.map { #","contextId":\#($0)"# } ?? ""
  return #"{"eventType":"custom","timestamp":1,"name":"event \#(number)","text":"\#(text)"\#(reference)}"#
}

extension TestReceiver.Store {
  /// The numbers of a launch's events.
  func numbers(of launch: LaunchID) -> [Int] { AutoMobileSDKTests.numbers(events[launch, default: [:]].values) }
}

/// The numbers of events, from their JSON.
func numbers(_ events: some Sequence<String>) -> [Int] {
  events.compactMap { json in
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return (object?["name"] as? String).flatMap { Int($0.dropFirst("event ".count)) }
  }.sorted()
}
