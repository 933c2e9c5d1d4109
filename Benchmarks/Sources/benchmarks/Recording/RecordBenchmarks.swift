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
