import AutoMobileHTTP
import AutoMobileJournal
import Foundation

/// What Apple's loading system measures of one request and its response. Linux's measures nothing.
protocol TransactionMetrics {
  var domainLookupStartDate: Date? { get }
  var domainLookupEndDate: Date? { get }
  var connectStartDate: Date? { get }
  var secureConnectionStartDate: Date? { get }
  var secureConnectionEndDate: Date? { get }
  var connectEndDate: Date? { get }
  var requestStartDate: Date? { get }
  var requestEndDate: Date? { get }
  var responseStartDate: Date? { get }
  var responseEndDate: Date? { get }
  var networkProtocolName: String? { get }
  var isReusedConnection: Bool { get }
  var isProxyConnection: Bool { get }
  var isFromCache: Bool { get }
  var remoteAddress: String? { get }
  var tlsVersion: String? { get }
  var countOfRequestHeaderBytesSent: Int64 { get }
  var countOfRequestBodyBytesSent: Int64 { get }
  var countOfResponseHeaderBytesReceived: Int64 { get }
  var countOfResponseBodyBytesReceived: Int64 { get }
}

extension HTTPTimings {
  /// - Parameter start: of the exchange.
  init(_ metrics: some TransactionMetrics, since start: Date) {
    func milliseconds(_ date: Date?) -> Double? { date.map { $0.timeIntervalSince(start) * 1000 } }
    self.init()
    domainLookupStart = milliseconds(metrics.domainLookupStartDate)
    domainLookupEnd = milliseconds(metrics.domainLookupEndDate)
    connectStart = milliseconds(metrics.connectStartDate)
    secureConnectionStart = milliseconds(metrics.secureConnectionStartDate)
    secureConnectionEnd = milliseconds(metrics.secureConnectionEndDate)
    connectEnd = milliseconds(metrics.connectEndDate)
    requestStart = milliseconds(metrics.requestStartDate)
    requestEnd = milliseconds(metrics.requestEndDate)
    responseStart = milliseconds(metrics.responseStartDate)
    responseEnd = milliseconds(metrics.responseEndDate)
  }
}

// Named in full: the SDK's delivery has a protocol of this name, too.
extension HTTPTransport {
  init(_ metrics: some TransactionMetrics) {
    self.init()
    protocolName = metrics.networkProtocolName
    isReused = metrics.isReusedConnection
    isProxied = metrics.isProxyConnection
    isCached = metrics.isFromCache
    remoteAddress = metrics.remoteAddress
    tlsVersion = metrics.tlsVersion
    bytesSent = metrics.countOfRequestHeaderBytesSent.adding(saturating: metrics.countOfRequestBodyBytesSent)
    bytesReceived =
      metrics.countOfResponseHeaderBytesReceived.adding(saturating: metrics.countOfResponseBodyBytesReceived)
  }
}

#if canImport(Darwin)
extension URLSessionTaskTransactionMetrics: TransactionMetrics {
  var isFromCache: Bool { resourceFetchType == .localCache }

  var tlsVersion: String? {
    switch negotiatedTLSProtocolVersion {
    case .TLSv10: "TLS 1.0"
    case .TLSv11: "TLS 1.1"
    case .TLSv12: "TLS 1.2"
    case .TLSv13: "TLS 1.3"
    default: nil
    }
  }
}
#endif
