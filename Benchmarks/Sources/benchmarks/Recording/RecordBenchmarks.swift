import AutoMobileSDK
import Foundation

/// What recording an event costs the app: the whole path, context and clock included, durable at return.
func benchmarkRecording(_ report: Report) {
  withScratchDirectory { directory in
    let sdk = AutoMobileSDK.shared
    sdk.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    sdk.setUserId("u-17")

    let event = SdkNavigationEvent(
      destination: "ProductDetails", source: .swiftUINavigation,
      arguments: ["productId": "4711", "campaign": "autumn-sale"])
    let navigation = NavigationEvent(
      destination: "ProductDetails", source: .swiftUINavigation,
      arguments: ["productId": "4711", "campaign": "autumn-sale"])
    let encoder = JSONEncoder()
    let size = (try? encoder.encode(event).count) ?? 0
    report.heading("Recording a navigation event with two arguments (\(size) bytes of JSON), durable at return")

    let json = Measurement(samples: 200, operations: 50) { for _ in 0..<$0 { _ = try? encoder.encode(event) } }
    report.time("JSONEncoder alone, nothing kept", json)
    let generic = paced { sdk.record(event) }
    report.time("record(_:), prebuilt event", generic, target: 150, over: json)
    report.value("… times cheaper than JSONEncoder", json.median / generic.median, "%.1f", atLeast: 20)
    report.time("notifyNavigationEvent(_:)", paced { sdk.notifyNavigationEvent(navigation) }, target: 200)
    let buffer = sdk.getEventBuffer()
    report.time("add(_: any SdkEvent)", paced { buffer?.add(event as any SdkEvent) }, target: 250)
    report.time(
      "trackEvent(name:properties:), two properties",
      paced { sdk.trackEvent(name: "purchase", properties: ["plan": "pro", "items": "3"]) })
    sdk.setEnabled(false)
    report.time("record(_:) while disabled", paced { sdk.record(event) })
    sdk.setEnabled(true)

    let one = throughput(threads: 1) { sdk.record(event) }
    let two = throughput(threads: 2) { sdk.record(event) }
    report.value("one thread, million events a second", one / 1e6)
    report.value("two threads, million events a second", two / 1e6)
    report.value("… two threads over one", two / one, atLeast: 1.5)
    let diagnostics = sdk.diagnostics
    report.value("recorded in this run", Double(diagnostics.recorded), "%.0f")
    for (reason, count) in diagnostics.dropped.sorted(by: { $0.key < $1.key }) where count > 0 {
      report.value("… of these \(reason)", Double(count), "%.0f")
    }
  }
}

/// A sample is 500 events, about a tenth of a segment, and a rest in which the next segment can be prepared: what is
/// measured is recording, not dropping.
private func paced(_ body: () -> Void) -> Measurement {
  Measurement(rest: 0.001) { for _ in 0..<$0 { body() } }
}

/// Operations a second of several threads that do the same at once: the median of bursts that fit the spare segments.
private func throughput(threads: Int, _ body: @escaping @Sendable () -> Void) -> Double {
  let operations = 4000
  let bursts = (0..<60).map { _ in
    Thread.sleep(forTimeInterval: 0.005)
    let ready = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let times = Times(count: threads)
    for thread in 0..<threads {
      Thread.detachNewThread {
        ready.signal()
        gate.wait()
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<operations { body() }
        times.set(thread, start, DispatchTime.now().uptimeNanoseconds)
        done.signal()
      }
    }
    for _ in 0..<threads { ready.wait() }
    for _ in 0..<threads { gate.signal() }
    for _ in 0..<threads { done.wait() }
    return Double(threads * operations) / times.seconds
  }
  return bursts.sorted()[bursts.count / 2]
}

/// When each thread began and ended.
private final class Times: @unchecked Sendable {
  // Unchecked, because each thread writes elements of its own, and they are read after all have said that they are done.
  private let starts: UnsafeMutableBufferPointer<UInt64>
  private let ends: UnsafeMutableBufferPointer<UInt64>

  init(count: Int) {
    starts = .allocate(capacity: count)
    ends = .allocate(capacity: count)
  }

  deinit {
    starts.deallocate()
    ends.deallocate()
  }

  func set(_ thread: Int, _ start: UInt64, _ end: UInt64) {
    starts[thread] = start
    ends[thread] = end
  }

  /// From the first beginning to the last end.
  var seconds: Double { Double((ends.max() ?? 0) - (starts.min() ?? 0)) / 1e9 }
}
