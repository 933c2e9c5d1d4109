import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation

/// Writing a network log, and searching in one of 100 000 requests (or as many as `NETLOG_REQUESTS` says).
func benchmarkNetworkLog(_ report: Report) {
  let count =
    ProcessInfo.processInfo.environment["NETLOG_REQUESTS"].flatMap { Int($0) } ?? (Measurement.isShort ? 5000 : 100_000)
  report.heading("A network log of \(count) requests with bodies of 1 KB")
  withScratchDirectory { url in
    let directory = NetworkLogDirectory(url)
    var options = NetworkLogOptions()
    options.budget = 2 << 30
    guard let writer = try? NetworkLogWriter(directory, owner: "benchmark", options: options) else {
      return report.expect("a log", false)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    for number in 0..<count { writer.record(exchange(number)) }
    let writing = Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
    report.time("recording one, durable at return", Measurement(nanoseconds: [writing]), unit: .µs)
    report.expect("requests that were lost", writer.counts.lost, is: 0)
    writer.closeAndWait()
    search(NetworkLog(directory), count, report)
    measureExport(NetworkLog(directory), count, url, report)
  }
}

private func search(_ log: NetworkLog, _ count: Int, _ report: Report) {
  func time(_ name: String, targetMs: Double?, _ body: () -> Int, expecting expected: Int) {
    var found = 0
    let measurement = Measurement(samples: 11, operations: 1) { _ in found = body() }
    report.time(name, measurement, unit: .µs, target: targetMs.map { $0 * 1e6 })
    report.expect("\(name): found", found, is: expected)
  }
  let start = DispatchTime.now().uptimeNanoseconds
  log.refresh()
  let opening = Double(DispatchTime.now().uptimeNanoseconds - start)
  report.time("the first look, which reads everything", Measurement(nanoseconds: [opening]), unit: .µs)
  time("a look that finds nothing new", targetMs: nil, { log.refresh().added }, expecting: 0)
  time("the newest page of 100", targetMs: nil, { log.page().entries.count }, expecting: min(100, count))

  var byStatus = NetworkLogFilter()
  byStatus.statusClasses = [.serverError]
  byStatus.minimumDuration = 10
  time("metadata: status and duration, all counted", targetMs: 50, { log.count(byStatus) }, expecting: count / 100)
  var byURL = NetworkLogFilter()
  byURL.text = "ITEM/4711?"
  byURL.places = [.url, .metadata]
  time("metadata: text in URLs, tracer ids and errors", targetMs: 50, { log.count(byURL) }, expecting: 1)
  time("statistics of everything", targetMs: nil, { log.statistics().count }, expecting: count)
  for (name, text, expected) in [
    ("bodies: text that stands nowhere", "nowhere to be found", 0), ("bodies: text in one of them", "needle-4711\"", 1),
    ("bodies: text in all of them", "shoes", count),
  ] {
    var filter = NetworkLogFilter()
    filter.text = text
    time(name, targetMs: 500, { log.count(filter) }, expecting: expected)
  }
}

private func measureExport(_ log: NetworkLog, _ count: Int, _ directory: URL, _ report: Report) {
  log.refresh()
  let before = residentBytes()
  let start = DispatchTime.now().uptimeNanoseconds
  let written = try? log.writeHAR(to: directory.appendingPathComponent("log.har"), version: "1")
  let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start)
  report.time("all of it as an HTTP archive", Measurement(nanoseconds: [elapsed]), unit: .µs)
  report.expect("requests in the archive", written, is: count)
  report.value("… memory that it took, MB", Double(residentBytes() - before) / 1e6, "%.1f", atMost: 30)
}

private func exchange(_ number: Int) -> HTTPExchange {
  var exchange = HTTPExchange(
    id: "request-\(number)", startedAt: 1_700_000_000_000 + Int64(number), method: "GET",
    url: "https://api.example.com/v1/item/\(number)?q=shoes")
  exchange.requestHeaders = ["Accept": "application/json", "User-Agent": "Benchmark/1.0 (a phone of some kind)"]
  exchange.statusCode = number % 100 == 0 ? 500 : 200
  exchange.responseHeaders = ["Content-Type": "application/json", "Server": "nginx"]
  let filler = String(repeating: "abcdefghijklmno ", count: 58)
  let body = Data(#"{"id":\#(number),"name":"shoes","key":"needle-\#(number)","text":"\#(filler)"}"#.utf8)
  exchange.responseBody = HTTPBody(bytes: body, size: body.count)
  exchange.contentType = "application/json"
  exchange.durationMs = Double(number % 500) + 10
  exchange.tracerId = "conversation-\(number)"
  return exchange
}

/// 0 where the system does not tell in this way.
private func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
}
