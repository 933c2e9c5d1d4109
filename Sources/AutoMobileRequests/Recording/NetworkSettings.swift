import AutoMobileHTTP
import AutoMobileRecorder
import Foundation

/// What is recorded of exchanges for telemetry, and how.
struct NetworkSettings: Sendable {
  /// In bytes.
  static let longestBody = 32 << 10

  var capturesHeaders = false
  var capturesBodies = false
  var maxBodyBytes = longestBody
  /// What the app has said; nil: the standard, whose table is not made before something is redacted.
  var ownRedaction: HTTPRedaction?
  var redaction: HTTPRedaction { ownRedaction ?? .standard }
  var tracerHeader: String?
  var hosts = NetworkFilter()
  var paths = NetworkFilter()
  var sampleRate = 1.0

  func accepts(host: String?, path: String?) -> Bool { hosts.accepts(host ?? "") && paths.accepts(path ?? "") }

  /// The bytes of each body that have to be captured.
  func bodyLimit(of url: URL?, isDebugBuild: Bool) -> Int {
    if capturesBodies, isDebugBuild { return maxBodyBytes }
    // The operation's name stands at the beginning.
    return url?.path.lowercased().contains("graphql") == true ? 4096 : 0
  }

  /// The exchange as it is recorded: what was not asked for is left out, and secrets are replaced; nil when it is not
  /// recorded at all.
  func recorded(_ exchange: HTTPExchange, isDebugBuild: Bool) -> HTTPExchange? {
    guard SessionSampling.isSampled(exchange.id, rate: sampleRate) else { return nil }
    var exchange = exchange
    exchange.limitTexts()
    guard accepts(host: exchange.host, path: exchange.path) else { return nil }
    let type = exchange.requestHeaders?.value(of: "content-type")
    exchange.graphQLOperation =
      exchange.graphQLOperation
      ?? HTTPExchange.graphQLOperation(
        url: exchange.url, body: exchange.requestBody?.bytes?.prefix(Self.longestBody), contentType: type)
    exchange.tracerId = exchange.tracerId ?? tracerId(exchange)
    exchange.traceparent = exchange.traceparent ?? exchange.requestHeaders?.value(of: "traceparent")
    exchange.contentType = exchange.contentType ?? exchange.responseHeaders?.value(of: "content-type")
    let limit = capturesBodies && isDebugBuild ? min(maxBodyBytes, Self.longestBody) : 0
    exchange.requestBody?.limit(to: limit)
    exchange.responseBody?.limit(to: limit)
    exchange = redaction.redacted(exchange)
    // The marks may have made them longer.
    exchange.requestBody?.limit(to: limit)
    exchange.responseBody?.limit(to: limit)
    if !capturesHeaders { (exchange.requestHeaders, exchange.responseHeaders) = (nil, nil) }
    // Also the texts, and those that were found meanwhile.
    exchange.limitTexts()
    return exchange
  }

  private func tracerId(_ exchange: HTTPExchange) -> String? {
    guard let tracerHeader else { return nil }
    return exchange.requestHeaders?.value(of: tracerHeader) ?? exchange.responseHeaders?.value(of: tracerHeader)
  }
}
