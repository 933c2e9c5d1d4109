import AutoMobileSDK
import Foundation

/// What a session's summary takes: bytes, and processor time for making it. In processes of their own, as delivery's queue cannot be
/// told from others.
func benchmarkSummaries(_ report: Report) {
  report.heading("The summary of a rich session")
  let summaries = Summaries()
  guard let receiver = CountingReceiver({ summaries.note($0, $1) }) else { return report.expect("a receiver", false) }
  defer { receiver.stop() }
  let count = Measurement.isShort ? 5 : 500
  var times: [[Double]] = [[], []]
  withScratchDirectory { directory in
    for round in 0..<Measurement.count(5) {
      for (index, kind) in ["everything", "kept"].enumerated() {
        let place = directory.appendingPathComponent("\(kind)-\(round)").path
        guard let child = UploadChild([SummaryProcess.argument, kind, place, receiver.url(kind), String(count)]),
          let time = child.numbers()?.first, child.end()
        else { return report.expect("\(kind): a process that has told its session \(count) times", false) }
        times[index].append(time / Double(count))
      }
    }
  }
  let (sizes, violations) = summaries.result
  report.expect("what came besides summaries where nothing else is named", violations, is: 0)
  report.expect("summaries that came", sizes.count, in: count * times[1].count...(count + 2) * times[1].count)
  report.value("bytes of its JSON, the largest of \(sizes.count)", Double(sizes.max() ?? 0), "%.0f", atMost: 1024)
  report.expect("a summary has at most 1024 bytes, and not \(sizes.max() ?? 0)", sizes.max() ?? .max <= 1024)
  report.expect("a rich session fills its summary, and not \(sizes.min() ?? 0) bytes", sizes.min() ?? 0 > 800)
  report.expect("a session that was told", !times[1].isEmpty)
  guard report.wrong == 0 else { return }
  let counts = receiver.counts("kept")
  report.value(
    "bytes of a body with one, as it goes over the wire",
    Double(counts.bytes - counts.envelopeBytes) / Double(max(1, counts.requests - counts.envelopes)), "%.0f")
  let (everything, kept) = (Measurement(nanoseconds: times[0]), Measurement(nanoseconds: times[1]))
  report.time("a delivery of one event, everything is sent: processor", everything, unit: .µs)
  report.time("a delivery of a summary, made and sent: processor", kept, unit: .µs, target: 1e6, over: everything)
  let more = zip(times[1], times[0]).map { $0 - $1 }.sorted()
  report.value("… more than of the event, µs: looking, making, writing down", more[more.count / 2] / 1000, "%.0f")
}

/// The child's side.
enum SummaryProcess {
  static let argument = "--tell-sessions"

  /// KIND DIRECTORY URL COUNT: the processor time of so many deliveries, of one event each, or of a summary.
  static func tell(_ arguments: [String]) -> Never {
    guard arguments.count >= 5, let count = Int(arguments[4]) else { exit(64) }
    let isKept = arguments[1] == "kept"
    let upload = isKept ? UploadPolicy.whenTriggered(UploadRules([])) : .everything
    let sdk = AutoMobileSDK.shared
    var configuration = AutoMobileConfiguration.bench(arguments[2], arguments[3], upload, intervalMs: 1)
    // Delivered when this says so.
    (configuration.bufferSize, configuration.flushIntervalMs) = (1_000_000, 3_600_000)
    sdk.initialize(bundleId: "com.example.bench", configuration: configuration, integrations: [])
    sdk.setUserId("u-17")
    recordRichSession(sdk)
    let delivered = { sdk.diagnostics.delivery?.eventsDelivered ?? 0 }
    // What is delivered first goes in another format, and all of the session where everything is sent.
    sdk.flush()
    if isKept {
      UploadChild.wait("the first summary") { delivered() == 1 }
    } else {
      UploadChild.wait("the session") { delivered() == sdk.diagnostics.recorded }
    }
    func one(_ number: Int) {
      let before = delivered()
      sdk.record(SdkInteractionEvent(interactionType: "tap", properties: ["x": "\(number)", "y": "17"]))
      sdk.flush()
      // Seldom, for asking takes time of the processor as well.
      UploadChild.wait("delivery \(number)", pause: 5000) { delivered() > before }
    }
    one(0)
    let start = UploadChild.processorTime()
    for number in 1...count { one(number) }
    UploadChild.say(Double(UploadChild.processorTime() - start))
    exit(0)
  }

  /// A little of everything that a summary tells, with numbers as long as they get and more screens than there is room for.
  private static func recordRichSession(_ sdk: AutoMobileSDK) {
    sdk.record(
      SdkCustomEvent(
        name: "App Launch",
        properties: ["kind": "prewarmed_cold_launch", "totalMs": .int(123_456), "preMainMs": .int(99)]))
    for number in 0..<(Measurement.isShort ? 300 : 2000) {
      let screen = number % 40
      sdk.record(
        SdkNavigationEvent(destination: "Screen \(screen): \"a name of \(screen) \\ 40 letters", source: .custom))
      let status: Int? = number % 7 == 0 ? nil : 100 * (1 + number % 5)
      sdk.record(
        SdkNetworkRequestEvent(
          url: "https://api.example.com/v1/\(number)", method: "GET", statusCode: status, durationMs: 17,
          host: "api.example.com", path: "/v1/\(number)"))
      sdk.record(SdkLogEvent(level: .error, tag: "bench", message: "message \(number)", filterName: "all"))
      sdk.record(SdkInteractionEvent(interactionType: "tap", properties: ["x": "\(number)", "y": "17"]))
      sdk.record(SdkLifecycleEvent(state: "foreground"))
      sdk.record(
        SdkStorageChangedEvent(
          suiteName: nil, key: "key", newValue: "\(number)", valueType: "int", sequenceNumber: Int64(number)))
      sdk.record(SdkViewBodySnapshotEvent(snapshots: []))
      sdk.record(
        SdkCustomEvent(
          name: "Frames", properties: ["scope": "screen", "slow": .int(1_000_000), "frozen": .int(1_000_000)]))
      if number < 3 { sdk.record(SdkHangEvent(durationMs: 2500, stackTrace: nil, bundleId: "com.example.bench")) }
      if number % 100 == 0 { usleep(5000) }
    }
  }
}

/// The summaries that have come, where nothing else may.
private final class Summaries: @unchecked Sendable {
  // Unchecked because `lock` guards it.
  private let lock = NSLock()
  private var sizes: [Int] = []
  private var violations = 0

  /// Their sizes in bytes, without the number of the context that the recorder adds; and how much else has come.
  var result: (sizes: [Int], violations: Int) { lock.withLock { (sizes, violations) } }

  func note(_ group: String, _ batch: ReceivedBatch) {
    guard group == "kept" else { return }
    for event in batch.events {
      guard event.type == "session_summary" else {
        lock.withLock { violations += 1 }
        continue
      }
      let text = String(decoding: event.json, as: UTF8.self)
      // In an envelope the whole context stands in its place.
      guard let range = text.range(of: #","contextId":[0-9]+"#, options: .regularExpression) else { continue }
      let added = text[range].utf8.count
      lock.withLock { sizes.append(event.json.count - added) }
    }
  }
}
