import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes what the interception sees into the log, redacted.
///
/// Sendable: what waits is counted under the lock; the rest does not change.
final class NetworkLogRecorder: NetworkObserver, @unchecked Sendable {
  let writer: NetworkLogWriter
  private let configuration: NetworkLoggerConfiguration
  private let queue = DispatchQueue(label: "dev.automobile.network-log.recorder", qos: .utility)
  private let lock = NSLock()
  private var waiting = 0
  /// Whether the app, and the collector, let the SDK record now.
  private let isAllowed: @Sendable () -> Bool

  /// What the app tells while so many still wait is lost, and counted.
  private static let mostWaiting = 1000

  let consent: NetworkLogConsent?

  init(
    _ writer: NetworkLogWriter, _ configuration: NetworkLoggerConfiguration,
    isAllowed: @escaping @Sendable () -> Bool = { AutoMobileSDK.shared.isEnabled }
  ) {
    let consent = configuration.directory.map { NetworkLogConsent($0, writer, isEnabled: isAllowed) }
    self.consent = consent
    self.isAllowed = { consent?.mayRecord ?? isAllowed() }
    self.writer = writer
    self.configuration = configuration
  }

  func interest(in request: URLRequest) -> CaptureInterest? {
    !isAllowed() || configuration.ignores(request.url?.host)
      ? nil : CaptureInterest(bodyLimit: configuration.options.bodyLimit)
  }

  func exchangeBegan(_ exchange: HTTPExchange) {
    guard isAllowed() else { return }
    // On a queue of the interception's: it has to be there before the request goes out.
    writer.begin(prepared(exchange))
  }

  func exchangeEnded(_ exchange: HTTPExchange) {
    guard isAllowed() else { return }
    // What was intercepted comes on a queue of the interception's; everything else on a thread of the app's.
    if exchange.source == "urlprotocol" { return record(exchange) }
    later { $0.record(exchange) }
  }

  func framePassed(_ frame: HTTPWebSocketFrame) {
    guard isAllowed(), !configuration.ignores(URLComponents(string: frame.url)?.host) else { return }
    later { $0.record(frame) }
  }

  /// Waits until everything that was told has been recorded; for tests.
  func drain() { queue.sync {} }

  private func record(_ exchange: HTTPExchange) { writer.record(prepared(exchange)) }

  private func prepared(_ exchange: HTTPExchange) -> HTTPExchange {
    var named = exchange
    // Before redaction: the id may stand in a header, and the name in a body, that is replaced or left out.
    named.tracerId = exchange.tracerId ?? tracer(of: exchange)
    named.graphQLOperation =
      exchange.graphQLOperation
      ?? HTTPExchange.graphQLOperation(
        url: exchange.url, body: exchange.requestBody?.bytes,
        contentType: exchange.requestHeaders?.value(of: "Content-Type"))
    return configuration.redaction.redacted(named)
  }

  private func record(_ frame: HTTPWebSocketFrame) {
    var frame = frame
    if let bytes = frame.payload?.bytes { frame.payload?.bytes = bytes.prefix(configuration.options.bodyLimit) }
    frame.url = configuration.redaction.redactedURL(frame.url)
    frame.payload = frame.payload.map { configuration.redaction.redactedBody($0, contentType: nil) }
    writer.record(frame)
  }

  private func later(_ work: @escaping @Sendable (NetworkLogRecorder) -> Void) {
    let mayWait = lock.withLock { () -> Bool in
      guard waiting < Self.mostWaiting else { return false }
      waiting += 1
      return true
    }
    guard mayWait else { return writer.countLoss() }
    queue.async { [self] in
      work(self)
      lock.withLock { waiting -= 1 }
    }
  }

  private func tracer(of exchange: HTTPExchange) -> String? {
    for headers in [exchange.requestHeaders, exchange.responseHeaders] {
      for name in configuration.tracerHeaders {
        if let value = headers?.value(of: name) { return value }
      }
    }
    return nil
  }
}
