import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes what the interception sees into the log, redacted.
final class NetworkLogRecorder: NetworkObserver {
  let writer: NetworkLogWriter
  private let configuration: NetworkLoggerConfiguration

  init(_ writer: NetworkLogWriter, _ configuration: NetworkLoggerConfiguration) {
    self.writer = writer
    self.configuration = configuration
  }

  func interest(in request: URLRequest) -> CaptureInterest? {
    configuration.ignores(request.url?.host) ? nil : CaptureInterest(bodyLimit: configuration.options.bodyLimit)
  }

  func exchangeEnded(_ exchange: HTTPExchange) {
    var named = exchange
    // Before redaction: the id may stand in a header, and the name in a body, that is replaced or left out.
    named.tracerId = exchange.tracerId ?? tracer(of: exchange)
    named.graphQLOperation =
      exchange.graphQLOperation
      ?? HTTPExchange.graphQLOperation(
        url: exchange.url, body: exchange.requestBody?.bytes,
        contentType: exchange.requestHeaders?.value(of: "Content-Type"))
    writer.record(configuration.redaction.redacted(named))
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
