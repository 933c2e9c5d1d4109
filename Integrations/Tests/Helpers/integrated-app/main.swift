// A program as somebody would write it with swift-log, swift-metrics and swift-distributed-tracing: it delivers to a collector, or records into
// a directory and is killed.
//
//   integrated-app ENDPOINT DIRECTORY              does everything once, delivers, and ends
//   integrated-app none DIRECTORY                  says "inside" inside of two spans, and waits to be killed
//
// Where it asks a server, that is given as SERVER in the environment.
import AutoMobileLogging
import AutoMobileMetrics
import AutoMobileRecorder
import AutoMobileTracing
import Foundation
import Logging
import Metrics
import Tracing

guard CommandLine.arguments.count == 3 else { exit(64) }
let endpoint = URL(string: CommandLine.arguments[1]).flatMap { $0.scheme == nil ? nil : $0 }
let provider = Logger.MetadataProvider { ["request": "r-7", "level": "provider"] }
LoggingSystem.bootstrap(AutoMobileLogHandler.init, metadataProvider: provider)
let metrics = AutoMobileMetricsFactory(interval: 3600)
MetricsSystem.bootstrap(metrics)
InstrumentationSystem.bootstrap(AutoMobileTracer())

var logger = Logger(label: "shop.payment")
logger.info("before the SDK was started")
AutoMobileSDK.shared.initialize(
  bundleId: "com.example.integrated",
  configuration: AutoMobileConfiguration(
    endpoint: endpoint, flushIntervalMs: 50,
    storage: .directory(URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true))),
  integrations: [])

struct Declined: Error {}

@MainActor func logs() {
  logger[metadataKey: "order"] = "R-2041"
  logger[metadataKey: "level"] = "logger"
  logger.debug("below the handler's level")
  logger.notice("paying", metadata: ["amount": .stringConvertible(4.2), "items": .stringConvertible(3)])
  logger.error(
    "declined", metadata: ["level": "call", "cards": ["visa", "amex"], "shop": ["city": "Basel"]])
  logger.critical("out of paper")
  logger.logLevel = .trace
  logger.trace("now that, too")
}

@MainActor func counts() {
  let orders = Counter(label: "orders", dimensions: [("kind", "card")])
  for _ in 0..<10_000 { orders.increment() }
  FloatingPointCounter(label: "litres").increment(by: 0.25)
  let queue = Gauge(label: "queue")
  for length in 0..<1000 { queue.record(length) }
  let time = Metrics.Timer(label: "brewing")
  for milliseconds in 1...100 { time.recordMilliseconds(milliseconds) }
  Recorder(label: "cups").record(2)
  metrics.record()
}

/// A carrier as a client of HTTP would have it.
struct Headers: Injector, Extractor {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

@MainActor func traces() async {
  let sdk = AutoMobileSDK.shared
  try? await withSpan("checkout", ofKind: .server) { span in
    span.attributes["items"] = 3
    span.addEvent("paid")
    await sdk.span("sdk's own") {
      await withSpan("inside of the SDK's") { inner in
        await Task.yield()
        logger.warning("inside")
        var headers: [String: String] = ["tracestate": "vendor=1"]
        InstrumentationSystem.instrument.inject(inner.context, into: &headers, using: Headers())
        // Another program goes on with it.
        var context = ServiceContext.topLevel
        headers["tracestate"] = "vendor=1"
        InstrumentationSystem.instrument.extract(headers, into: &context, using: Headers())
        let remote = InstrumentationSystem.tracer.startSpan("remote", context: context, ofKind: .client)
        remote.operationName = "remote, renamed"
        remote.end()
        remote.end()
      }
    }
    throw Declined()
  }
}

if endpoint == nil {
  await withSpan("outer") { _ in
    await AutoMobileSDK.shared.span("inner") {
      logger.error("the last words", metadata: ["order": "R-1"])
      FileHandle.standardOutput.write(Data("inside\n".utf8))
      while true { try? await Task.sleep(nanoseconds: 1_000_000_000) }
    }
  }
}
logs()
counts()
await traces()
await AutoMobileSDK.shared.shutdownAndDeliver()
