import AutoMobileHTTP
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests
@testable import AutoMobileSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct RequestRecordingTests {
  private func harness() throws -> NetworkHarness {
    let harness = try NetworkHarness()
    harness.network.setCaptureHeaders(true)
    harness.network.setCaptureBodies(true)
    return harness
  }

  @Test func `an exchange is the same after a trip through the event's JSON`() throws {
    let harness = try harness()
    let exchange = HTTPExchange.full()
    harness.network.exchangeEnded(exchange)
    #expect(try harness.exchanges() == [exchange])
    let event = try #require(try harness.sdk.recorded().last?.event as? SdkNetworkRequestEvent)
    #expect(event.transport == exchange.transport && event.redirects == exchange.redirects)
    #expect(event.host == "api.example.com" && event.path == "/v1/orders")
    // The two encoders, of the recorder and of Codable, agree.
    let coded = try JSONDecoder().decode(HTTPExchange.self, from: JSONEncoder().encode(event))
    #expect(coded == exchange)
  }

  @Test func `headers and bodies are only recorded when the app asks for them`() throws {
    let harness = try NetworkHarness()
    harness.network.exchangeEnded(.full())
    let exchange = try #require(try harness.exchanges().first)
    #expect(exchange.requestHeaders == nil && exchange.responseHeaders == nil)
    #expect(exchange.requestBody == HTTPBody(bytes: nil, size: 7))
    #expect(exchange.responseBody == HTTPBody(bytes: nil, size: 90_000))
    #expect(exchange.statusCode == 201 && exchange.contentType == "image/png")
  }

  @Test func `a release build records no body, whatever was asked for`() throws {
    let harness = try NetworkHarness(isDebugBuild: false)
    harness.network.setCaptureBodies(true)
    harness.network.exchangeEnded(.full())
    harness.network.recordRequest(url: "https://a.example/", method: "POST", requestBody: "{}", responseBody: "[]")
    harness.network.record(
      url: "wss://a.example/", .sent, .text, HTTPBody(bytes: Data("x".utf8), size: 1), requestId: "1")
    let exchanges = try harness.exchanges()
    #expect(exchanges.allSatisfy { $0.requestBody?.bytes == nil && $0.responseBody?.bytes == nil })
    #expect(exchanges.map(\.responseBody?.size) == [90_000, 2])
    #expect(try harness.frames().map(\.payload) == [nil])
    let request = URLRequest(url: try #require(URL(string: "https://a.example/")))
    #expect(harness.network.interest(in: request) == CaptureInterest(bodyLimit: 0))
  }

  @Test(arguments: [
    (0, 0), (32_767, 32_767), (32_768, 32_768), (32_769, 32_768), (1 << 20, 32_768), (-5, 0), (Int.max, 32_768),
  ])
  func `bodies end at the limit, which is 32 KB at most, with their true size`(limit: Int, expected: Int) throws {
    let harness = try harness()
    harness.network.setMaxBodyBytes(limit)
    var exchange = HTTPExchange(id: "1", startedAt: 1, method: "GET", url: "https://a.example/")
    exchange.responseBody = HTTPBody(bytes: Data(repeating: 0x61, count: 100_000), size: 100_000)
    harness.network.exchangeEnded(exchange)
    let body = try #require(try harness.exchanges().first?.responseBody)
    #expect(body.bytes?.count ?? 0 == expected)
    #expect(body.size == 100_000 && body.isTruncated)
    let request = URLRequest(url: try #require(URL(string: "https://a.example/")))
    #expect(harness.network.interest(in: request) == CaptureInterest(bodyLimit: expected))
  }

  @Test func `a body that redaction makes longer does not pass the limit`() throws {
    let harness = try harness()
    let json = "[" + Array(repeating: #"{"pin":1}"#, count: 3000).joined(separator: ",") + "]"
    harness.network.recordRequest(url: "https://a.example/", method: "POST", requestBody: json)
    let body = try #require(try harness.exchanges().first?.requestBody)
    #expect(body.bytes?.count == 32_768 && body.isTruncated && body.size == json.utf8.count)
  }

  @Test func `a request that is recorded by hand has what the app said, and is a breadcrumb`() throws {
    let harness = try harness()
    harness.network.recordRequest(
      url: "https://a.example/x?token=S3CRET", method: "PUT", requestHeaders: ["A": "b"], statusCode: 503,
      responseHeaders: ["Content-Type": "text/plain"], durationMs: .infinity, error: "no luck", responseBody: "sorry")
    let exchange = try #require(try harness.exchanges().first)
    #expect(exchange.url == "https://a.example/x?token=REDACTED")
    #expect(exchange.error == HTTPFailure(message: "no luck") && exchange.durationMs == nil)
    #expect(exchange.responseBody?.text == "sorry" && exchange.contentType == "text/plain")
    #expect(exchange.source == "manual" && !exchange.id.isEmpty)
    let breadcrumb = try #require(harness.sdk.sdk.breadcrumbs().last)
    #expect(breadcrumb.category == .network)
    #expect(breadcrumb.message == "PUT https://a.example/x?token=REDACTED")
  }

  @Test func `requests from before the SDK is initialized are recorded then, and the ones too many counted`() throws {
    let network = AutoMobileNetwork(isDebugBuild: true)
    for n in 0..<40 { network.recordRequest(url: "https://a.example/\(n)", method: "GET") }
    let sdk = try SdkHarness(subsystems: [.network(network)])
    let urls = try sdk.recorded().compactMap { ($0.event as? SdkNetworkRequestEvent)?.path }
    #expect(urls == (8..<40).map { "/\($0)" })
    #expect(sdk.sdk.diagnostics.dropped == ["notInitialized": 8])
    try sdk.expectBalancedLedger(recorded: 40)
  }

  @Test func `while recording is off nothing is wanted, and every request is counted`() throws {
    let harness = try NetworkHarness()
    harness.sdk.sdk.setEnabled(false)
    harness.network.recordRequest(url: "https://a.example/", method: "GET")
    harness.network.recordWebSocketFrame(url: "wss://a.example/", direction: .sent, frameType: .text)
    let request = URLRequest(url: try #require(URL(string: "https://a.example/")))
    #expect(harness.network.interest(in: request) == nil)
    #expect(harness.sdk.sdk.diagnostics.dropped == ["disabled": 2])
  }

  @Test func `filters leave out hosts and paths`() throws {
    let harness = try NetworkHarness()
    harness.network.setHostFilter(include: ["*.Example.com", "localhost"], exclude: ["ads.*"])
    harness.network.setPathFilter(exclude: ["/health", "/static/*"])
    let expected = [
      "https://api.example.com/v1": true, "https://API.EXAMPLE.COM/v1": true, "http://localhost/health": false,
      "https://ads.example.com/": false, "https://other.com/": false, "https://api.example.com/static/a/b": false,
      "https://example.com/": false,
    ]
    for (url, isRecorded) in expected {
      let request = URLRequest(url: try #require(URL(string: url)))
      #expect((harness.network.interest(in: request) != nil) == isRecorded, "\(url)")
      let before = try harness.exchanges().count
      harness.network.recordRequest(url: url, method: "GET")
      #expect(try harness.exchanges().count - before == (isRecorded ? 1 : 0), "\(url)")
    }
  }

  @Test func `a sample of requests is chosen by their ids, the same one every time`() throws {
    let harness = try NetworkHarness()
    harness.network.setSampleRate(0.5)
    func sample() throws -> [String] {
      let before = try harness.exchanges().count
      for n in 0..<200 {
        harness.network.exchangeEnded(
          HTTPExchange(id: "id \(n)", startedAt: 1, method: "GET", url: "https://a.example"))
      }
      return try harness.exchanges().dropFirst(before).map(\.id)
    }
    let first = try sample()
    #expect((60...140).contains(first.count))
    #expect(try sample() == first)
    harness.network.setSampleRate(.nan)
    #expect(try sample().count == 200)
    harness.network.setSampleRate(-1)
    #expect(try sample().isEmpty)
  }

  @Test func `the tracer's header becomes a field, also when headers are not recorded`() throws {
    let harness = try NetworkHarness()
    harness.network.setTracerHeader("x-CONVERSATION")
    var exchange = HTTPExchange.full()
    exchange.tracerId = nil
    harness.network.exchangeEnded(exchange)
    exchange.requestHeaders = nil
    exchange.responseHeaders = ["X-Conversation": String(repeating: "r", count: 10_000)]
    harness.network.exchangeEnded(exchange)
    #expect(try harness.exchanges().map(\.tracerId) == ["c-17", String(repeating: "r", count: 256)])
  }

  @Test func `the name of a GraphQL operation is recorded without its body`() throws {
    let harness = try NetworkHarness(isDebugBuild: false)
    let url = "https://api.example.com/graphql"
    let request = URLRequest(url: try #require(URL(string: url)))
    #expect((harness.network.interest(in: request)?.bodyLimit ?? 0) > 0)
    var exchange = HTTPExchange(id: "1", startedAt: 1, method: "POST", url: url)
    let body = Data(#"{"query":"mutation Login($password: String!) { a }","variables":{"password":"S3CRET"}}"#.utf8)
    exchange.requestBody = HTTPBody(bytes: body, size: body.count)
    harness.network.exchangeEnded(exchange)
    let recorded = try #require(try harness.exchanges().first)
    #expect(recorded.graphQLOperation == "Login" && recorded.requestBody == HTTPBody(bytes: nil, size: body.count))
  }

  @Test func `whatever a server sends, the event is small enough to be recorded`() throws {
    let harness = try harness()
    var exchange = HTTPExchange.full("https://a.example/" + String(repeating: "\"", count: 1 << 20))
    let long = String(repeating: "\u{1}", count: 1 << 20)
    exchange.error = HTTPFailure(message: long)
    exchange.responseHeaders = Dictionary((0..<10_000).map { ("h\($0)", "v") }) { $1 }
    exchange.requestBody = HTTPBody(bytes: Data(long.utf8), size: 1 << 20)
    exchange.responseBody = HTTPBody(bytes: Data(long.utf8), size: 1 << 20)
    exchange.redirects = Array(repeating: HTTPRedirect(statusCode: 302, url: long, location: long), count: 100)
    harness.network.exchangeEnded(exchange)
    let recorded = try #require(try harness.exchanges().first)
    #expect(recorded.redirects.count == 1 && (recorded.responseHeaders?.count ?? 0) > 1000)
    #expect(recorded.requestBody?.bytes?.count == 32_768)
  }

  @Test(arguments: [
    ("application/json; charset=utf-8", true), ("application/vnd.api+json", true), ("TEXT/HTML", true),
    ("application/x-www-form-urlencoded", true), ("image/svg+xml", true), ("application/graphql", true),
    ("image/png", false), ("application/octet-stream", false), ("", false), (nil, false),
  ])
  func `media types are text or not`(type: String?, isText: Bool) {
    #expect(AutoMobileNetwork.isTextContentType(type) == isText)
  }
}
