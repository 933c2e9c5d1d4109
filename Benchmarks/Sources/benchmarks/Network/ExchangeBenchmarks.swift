import AutoMobileHTTP
import AutoMobileSDK
import Foundation

/// What it costs to record a request: redaction, encoding and journal, on the thread that does it (the interception's queue,
/// or the caller of `recordRequest`); and what redaction alone costs for bodies, which only debug builds record.
func benchmarkExchanges(_ report: Report) {
  withScratchDirectory { directory in
    AutoMobileSDK.shared.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    let network = AutoMobileNetwork.shared
    report.heading("Recording a request, redacted, durable at return")
    /// `isKept`: each call is an event; otherwise none is.
    func measure(_ name: String, isKept: Bool = true) {
      let before = AutoMobileSDK.shared.diagnostics.recorded
      let time = paced { record(network) }
      report.time(name, time)
      let events = Int(clamping: AutoMobileSDK.shared.diagnostics.recorded &- before)
      report.expect("\(name): events", events, in: isKept ? time.operations...time.operations + 50 : 0...50)
    }
    network.setCaptureHeaders(false)
    measure("recordRequest, no headers")
    network.setCaptureHeaders(true)
    measure("recordRequest, six headers each way")
    network.setHostFilter(exclude: ["api.example.com"])
    measure("recordRequest, filtered out", isKept: false)
    network.setHostFilter()

    report.heading("Redacting a body of 32 KB")
    let redaction = HTTPRedaction()
    for (name, type, text) in bodies {
      let bytes = Data(text.utf8.prefix(32 << 10))
      let body = HTTPBody(bytes: bytes, size: bytes.count)
      let redacting = Measurement(samples: 30, operations: 4) {
        for _ in 0..<$0 { _ = redaction.redactedBody(body, contentType: type) }
      }
      report.time(name, redacting)
      let redacted = redaction.redactedBody(body, contentType: type).bytes ?? Data()
      report.expect("\(name): secrets that are left", secrets(in: redacted), is: 0)
      report.expect("\(name): nothing else is taken out", redacted.count > bytes.count / 2)
      if type == "application/json" { report.expect("\(name): there were secrets", secrets(in: bytes) > 10) }
    }
  }
}

private func secrets(in bytes: Data) -> Int {
  String(decoding: bytes, as: UTF8.self).components(separatedBy: "0123456789abcdef").count - 1
}

private let headers = [
  "Accept": "application/json", "Authorization": "Bearer 0123456789abcdef0123456789abcdef", "User-Agent": "App/1.0",
  "Content-Type": "application/json", "Cache-Control": "max-age=60", "X-Request-Id": "0123456789abcdef",
]

private let bodies: [(name: String, type: String, text: String)] = [
  (
    "JSON, a token in every tenth object", "application/json",
    "["
      + (0..<1000).map { n in
        #"{"id":\#(n),"name":"Product \#(n)","url":"https://example.com/p/\#(n)?size=m","#
          + (n % 10 == 0 ? #""token":"0123456789abcdef"}"# : #""price":{"amount":12.5,"currency":"EUR"}}"#)
      }.joined(separator: ",") + "]"
  ),
  (
    "a form of 1000 fields", "application/x-www-form-urlencoded",
    (0..<1000).map { "field\($0)=value%20number%20\($0)" }.joined(separator: "&")
  ),
  ("text", "text/plain", String(repeating: "Nothing of interest stands in this line: move on.\n", count: 1000)),
]

private func record(_ network: AutoMobileNetwork) {
  network.recordRequest(
    url: "https://api.example.com/v1/orders/17?page=2&sort=date", method: "GET", requestHeaders: headers,
    requestBodySize: 0, statusCode: 200, responseHeaders: headers, responseBodySize: 4096, durationMs: 83.5)
}

/// A sample is 100 requests, and a rest in which the next segment can be prepared.
private func paced(_ body: () -> Void) -> Measurement {
  Measurement(samples: 200, operations: 100, rest: 0.001) { for _ in 0..<$0 { body() } }
}
