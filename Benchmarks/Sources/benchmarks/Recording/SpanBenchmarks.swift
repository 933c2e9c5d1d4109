import AutoMobileSDK
import Foundation

/// What a span costs the app: two records, each durable at return.
func benchmarkSpans(_ report: Report) {
  withScratchDirectory { directory in
    let sdk = AutoMobileSDK.shared
    sdk.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    report.heading("A span, its begin and its end, both durable at return")
    let plain = paced {
      var span = sdk.beginSpan("checkout")
      span.end()
    }
    report.time("beginSpan(_:) and end()", plain, target: 300)
    let around = paced { sdk.span("checkout") {} }
    report.time("span(_:_:), which makes it current", around)
    let nested = paced { sdk.span("checkout") { sdk.span("payment") {} } }
    report.time("one inside of another", nested)
    let described = paced {
      var span = sdk.beginSpan("checkout", attributes: ["items": 3, "plan": "pro"])
      span.end(status: .ok)
    }
    report.time("beginSpan(_:) and end(), two attributes", described)
    let before = sdk.diagnostics
    sdk.setEnabled(false)
    let disabled = paced {
      var span = sdk.beginSpan("checkout")
      span.end()
    }
    report.time("beginSpan(_:) and end() while disabled", disabled)
    let spans = [plain, around, described].reduce(0) { $0 + $1.operations } + 2 * nested.operations
    report.expect("records that were kept", Int(clamping: before.recorded), in: 2 * spans...2 * spans + 100)
    report.expect("no room for", Int(clamping: before.dropped["bufferOverflow"] ?? 0), in: 0...spans / 5)
  }
}

/// As for events: a sample is followed by a rest in which the next segment can be prepared.
private func paced(_ body: () -> Void) -> Measurement {
  Measurement(operations: 250, rest: 0.001) { for _ in 0..<$0 { body() } }
}
