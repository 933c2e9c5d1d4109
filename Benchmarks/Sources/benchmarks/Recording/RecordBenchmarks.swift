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

    report.expect("the event is JSON", size > 100)
    let json = Measurement(samples: 200, operations: 50) { for _ in 0..<$0 { _ = try? encoder.encode(event) } }
    report.time("JSONEncoder alone, nothing kept", json)
    let generic = paced { sdk.record(event) }
    report.time("record(_:), prebuilt event", generic, target: 150, over: json)
    report.value("… times cheaper than JSONEncoder", json.median / generic.median, "%.1f", atLeast: 20)
    let notified = paced { sdk.notifyNavigationEvent(navigation) }
    report.time("notifyNavigationEvent(_:)", notified, target: 200)
    let buffer = sdk.getEventBuffer()
    let added = paced { buffer?.add(event as any SdkEvent) }
    report.time("add(_: any SdkEvent)", added, target: 250)
    let tracked = paced { sdk.trackEvent(name: "purchase", properties: ["plan": "pro", "items": "3"]) }
    report.time("trackEvent(name:properties:), two properties", tracked)
    let before = sdk.diagnostics
    sdk.setEnabled(false)
    let disabled = paced { sdk.record(event) }
    report.time("record(_:) while disabled", disabled)
    sdk.setEnabled(true)

    let diagnostics = sdk.diagnostics
    let calls = [generic, notified, added, tracked].reduce(0) { $0 + $1.operations }
    report.expect("events that were kept", Int(clamping: before.recorded), in: calls...calls + 100)
    report.expect("no room for", Int(clamping: before.dropped["bufferOverflow"] ?? 0), in: 0...calls / 10)
    let refused = (diagnostics.dropped["disabled"] ?? 0) &- (before.dropped["disabled"] ?? 0)
    report.expect("counted as lost while disabled", Int(clamping: refused), is: disabled.operations)
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
