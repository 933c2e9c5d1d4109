import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileRecorder
import AutoMobileRequests
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes what the interception sees into the log, redacted.
///
final class NetworkLogRecorder: NetworkObserver, Sendable {
  let writer: NetworkLogWriter
  private let configuration: NetworkLoggerConfiguration
  /// Whether the app, and the collector, let the SDK record now.
  private let isAllowed: @Sendable () -> Bool

  let consent: NetworkLogConsent?

  init(
    _ writer: NetworkLogWriter, _ configuration: NetworkLoggerConfiguration,
    isAllowed: @escaping @Sendable () -> Bool = { AutoMobileSDK.shared.isObserving }
  ) {
    let consent = configuration.directory.map { NetworkLogConsent($0, writer, isEnabled: isAllowed) }
    self.consent = consent
    self.isAllowed = {
      guard consent?.mayRecord ?? isAllowed() else { return false }
      // It may have been opened while nothing was to be kept.
      writer.startKeeping()
      return true
    }
    self.writer = writer
    self.configuration = configuration
  }

  func interest(in request: URLRequest) -> CaptureInterest? {
    !isAllowed() || configuration.ignores(request.url?.host)
      ? nil : CaptureInterest(bodyLimit: configuration.options.bodyLimit)
  }

  func exchangeBegan(_ exchange: HTTPExchange) {
    guard isAllowed() else { return }
    // It waits for nothing; the request is on its way meanwhile.
    writer.begin(prepared(exchange))
  }

  func exchangeEnded(_ exchange: HTTPExchange) {
    guard isAllowed() else { return }
    record(exchange)
  }

  func exchangeLost(_ exchange: HTTPExchange) {
    if isAllowed() { writer.countLoss() }
  }

  func framePassed(_ frame: HTTPWebSocketFrame) {
    guard isAllowed(), !configuration.ignores(URLComponents(string: frame.url)?.host) else { return }
    record(frame)
  }

  func frameLost(_ frame: HTTPWebSocketFrame) {
    if isAllowed(), !configuration.ignores(URLComponents(string: frame.url)?.host) { writer.countLoss() }
  }

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

  private func tracer(of exchange: HTTPExchange) -> String? {
    for headers in [exchange.requestHeaders, exchange.responseHeaders] {
      for name in configuration.tracerHeaders {
        if let value = headers?.value(of: name) { return value }
      }
    }
    return nil
  }
}
