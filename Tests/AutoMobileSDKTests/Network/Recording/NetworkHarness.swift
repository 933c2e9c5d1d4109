import AutoMobileHTTP
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSDK

/// An SDK of a test's own with a network subsystem of its own.
final class NetworkHarness: Sendable {
  let network: AutoMobileNetwork
  let sdk: SdkHarness

  init(
    bundleId: String = "com.example.test", isDebugBuild: Bool = true, endpoint: URL? = nil,
    hasControlChannel: Bool = false, recordings: URL? = nil
  ) throws {
    let network = AutoMobileNetwork(isDebugBuild: isDebugBuild)
    self.network = network
    sdk = try SdkHarness(
      bundleId: bundleId, realTimers: hasControlChannel, hasControlChannel: hasControlChannel,
      subsystems: [.network(network)]
    ) {
      if hasControlChannel { $0.flushIntervalMs = 5 }
      if let recordings { $0.storage = .directory(recordings) }
      $0.endpoint = endpoint
      if endpoint != nil { $0.apiKey = "key" }
    }
  }

  /// The launch that comes next in a directory.
  static func next(in directory: URL, bundleId: String = "com.example.test") throws -> NetworkHarness {
    try NetworkHarness(bundleId: bundleId, recordings: directory)
  }

  /// Waits until what was over until now has been recorded, as it is once the app has been told.
  func settle() { NetworkInterception.shared.observerQueue.drain() }

  /// The JSON of what was recorded of requests, and of frames.
  func payloads() throws -> [Data] {
    settle()
    return try sdk.recorded().filter { [.networkRequest, .webSocketFrame].contains($0.event.eventType) }.map(\.payload)
  }

  func exchanges() throws -> [HTTPExchange] {
    settle()
    return try sdk.recorded().filter { $0.event.eventType == .networkRequest }.map {
      try JSONDecoder().decode(HTTPExchange.self, from: $0.payload)
    }
  }

  func frames() throws -> [SdkWebSocketFrameEvent] {
    settle()
    return try sdk.recorded().compactMap { $0.event as? SdkWebSocketFrameEvent }
  }
}

extension HTTPExchange {
  /// With something in every member.
  static func full(_ url: String = "https://api.example.com/v1/orders?page=2") -> HTTPExchange {
    var exchange = HTTPExchange(id: "exchange-1", startedAt: 1_700_000_000_000, method: "POST", url: url)
    exchange.requestHeaders = ["Content-Type": "application/json", "X-Conversation": "c-17"]
    exchange.requestBody = HTTPBody(bytes: Data(#"{"a":1}"#.utf8), size: 7)
    exchange.statusCode = 201
    exchange.responseHeaders = ["Content-Type": "image/png"]
    exchange.responseBody = HTTPBody(bytes: Data([0x89, 0x50, 0xFF]), size: 90_000)
    exchange.contentType = "image/png"
    exchange.durationMs = 12.5
    exchange.error = HTTPFailure(message: "the connection was lost", domain: "NSURLErrorDomain", code: -1005)
    exchange.redirects = [
      HTTPRedirect(statusCode: 302, url: "https://a.example/", location: "https://api.example.com/v1", atMs: 3)
    ]
    var timings = HTTPTimings()
    timings.domainLookupStart = 0.5
    timings.domainLookupEnd = 1
    timings.connectStart = 1
    timings.secureConnectionStart = 2
    timings.secureConnectionEnd = 3
    timings.connectEnd = 3
    timings.requestStart = 4
    timings.requestEnd = 5
    timings.responseStart = 6
    timings.responseEnd = 12.25
    exchange.timings = timings
    var transport = HTTPTransport()
    transport.protocolName = "h2"
    transport.isReused = true
    transport.isProxied = false
    transport.isCached = false
    transport.remoteAddress = "192.0.2.1"
    transport.tlsVersion = "TLSv1.3"
    transport.bytesSent = 300
    transport.bytesReceived = 90_500
    exchange.transport = transport
    exchange.graphQLOperation = "Orders"
    exchange.tracerId = "c-17"
    exchange.traceparent = Traceparents.make()
    exchange.mockRule = "rule"
    exchange.source = "urlprotocol"
    return exchange
  }
}
