#if os(macOS) || os(Linux)
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the observers are told of a request.
@Suite struct RecordedExchangeTests {
  private func exchange(
    _ scenario: Scenario, _ style: Scenario.Style = .delegate, at server: OddServer, limit: Int = 32 * 1024
  ) async throws -> HTTPExchange {
    let log = ExchangeLog(bodyLimit: limit)
    return try await log.observing {
      _ = await HostClient.run(scenario, style, at: server.url, covered())
      return try #require(await log.first(1).first)
    }
  }

  private func covered() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    NetworkInterception.shared.register(in: configuration)
    return configuration
  }

  @Test func `an exchange has method, URL, headers, status, bodies, sizes and times`() async throws {
    let server = try await OddServer()
    let request = Scenario(
      name: "", path: "/echo?q=1", method: "POST", headers: ["X-Own": "value", "traceparent": "00-1-2-01"],
      body: Data("hello".utf8))
    let exchange = try await exchange(request, at: server)
    #expect(exchange.method == "POST" && exchange.url == server.url.absoluteString + "/echo?q=1")
    #expect(exchange.requestHeaders?["X-Own"] == "value" && exchange.traceparent == "00-1-2-01")
    #expect(exchange.requestBody == HTTPBody(bytes: Data("hello".utf8), size: 5))
    #expect(exchange.statusCode == 200 && exchange.contentType == "application/json")
    #expect(exchange.responseHeaders?["Content-Type"] == "application/json")
    let body = try #require(exchange.responseBody)
    #expect(!body.isTruncated && body.text?.contains("\"POST\"") == true)
    #expect(exchange.error == nil && exchange.mockRule == nil && exchange.source == "urlprotocol")
    let start = try #require(exchange.timings?.responseStart)
    let end = try #require(exchange.timings?.responseEnd)
    let duration = try #require(exchange.durationMs)
    #expect(0 <= start && start <= end && end <= duration)
    #expect(!exchange.id.isEmpty && exchange.startedAt > 0)
  }

  @Test(arguments: [32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1])
  func `bodies are kept up to the limit, with their true size`(_ size: Int) async throws {
    let server = try await OddServer()
    let sent = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
    let uploads: [Scenario] = [
      Scenario(name: "data", path: "/bytes/\(size)", method: "POST", body: sent),
      Scenario(name: "stream", path: "/bytes/\(size)", method: "POST", bodyStream: sent),
      Scenario(name: "upload", path: "/bytes/\(size)", method: "PUT", upload: .data(sent)),
      Scenario(name: "file", path: "/bytes/\(size)", method: "PUT", upload: .file(sent)),
      Scenario(name: "on demand", path: "/bytes/\(size)", method: "PUT", upload: .onDemand(sent)),
    ]
    for upload in uploads {
      let exchange = try await exchange(upload, at: server)
      for body in [exchange.requestBody, exchange.responseBody] {
        #expect(body?.size == size, "\(upload.name)")
        #expect(body?.bytes == sent.prefix(32 * 1024), "\(upload.name)")
        #expect(body?.isTruncated == (size > 32 * 1024))
      }
    }
  }

  @Test func `each observer gets as much as it asked for, and nothing of what it does not want`() async throws {
    let server = try await OddServer()
    let logs = [0, 10, 1000].map { ExchangeLog(bodyLimit: $0) }
    let nobody = ExchangeLog(bodyLimit: nil)
    for log in logs + [nobody] { NetworkInterception.shared.add(log) }
    defer { for log in logs + [nobody] { NetworkInterception.shared.remove(log) } }
    let request = Scenario(name: "", path: "/bytes/500", method: "POST", body: Data(count: 300))
    _ = await HostClient.run(request, .delegate, at: server.url, covered())
    for (log, (sent, received)) in zip(logs, [(nil, nil), (10, 10), (300, 500)] as [(Int?, Int?)]) {
      let exchange = try #require(await log.first(1).first)
      #expect(exchange.requestBody?.size == 300 && exchange.requestBody?.bytes?.count == sent)
      #expect(exchange.responseBody?.size == 500 && exchange.responseBody?.bytes?.count == received)
    }
    #expect(nobody.exchanges.isEmpty)
  }

  @Test func `hops are recorded in order, in one exchange`() async throws {
    let server = try await OddServer()
    let exchange = try await exchange(Scenario(name: "", path: "/redirect/3"), at: server)
    #expect(exchange.statusCode == 200 && exchange.url.hasSuffix("/redirect/3"))
    #expect(exchange.redirects.map(\.statusCode) == [302, 302, 302])
    #expect(
      exchange.redirects.map { URL(string: $0.url)?.path } == ["/redirect/3", "/redirect/2/302", "/redirect/1/302"])
    #expect(exchange.redirects.last?.location.hasSuffix("/echo?arrived=yes") == true)
    let loop = try await self.exchange(Scenario(name: "", path: "/loop"), at: server)
    #expect(loop.error?.code == NSURLErrorHTTPTooManyRedirects && loop.redirects.count >= 16)
  }

  @Test func `failures are recorded with domain and code, cancellation as what it is`() async throws {
    let server = try await OddServer()
    let late = try await exchange(Scenario(name: "", path: "/slow/30", timeout: 1), at: server)
    #expect(late.error?.domain == NSURLErrorDomain && late.error?.code == NSURLErrorTimedOut)
    #expect(late.statusCode == nil && late.responseBody == nil)
    let stages: [(Scenario.Cancel, String)] = [(.atOnce, "/slow/30"), (.atResponse, "/stall"), (.atData, "/endless")]
    for (stage, path) in stages {
      let exchange = try await exchange(Scenario(name: "", path: path, cancel: stage), at: server)
      #expect(exchange.error?.isCancellation == true, "\(stage)")
      #expect((exchange.statusCode == 200) == (stage != .atOnce))
    }
  }

  @Test func `a download is recorded by its size`() async throws {
    let server = try await OddServer()
    for style in Scenario.Style.allCases {
      let exchange = try await exchange(
        Scenario(name: "", path: "/bytes/100000", isDownload: true), style, at: server)
      #expect(exchange.statusCode == 200 && exchange.responseBody?.bytes?.isEmpty != false)
      if style == .delegate { #expect(exchange.responseBody?.size == 100_000) }
    }
  }

  @Test func `what the modifier changes is sent, also after a redirect, and recorded`() async throws {
    let server = try await OddServer()
    NetworkInterception.shared.requestModifier = { request, _ in
      var request = request
      request.setValue("00-a-b-01", forHTTPHeaderField: "traceparent")
      return request
    }
    defer { NetworkInterception.shared.requestModifier = nil }
    let exchange = try await exchange(Scenario(name: "", path: "/redirect/1"), at: server)
    #expect(exchange.traceparent == "00-a-b-01")
    #expect(exchange.responseBody?.text?.contains(#""traceparent": "00-a-b-01""#) == true)
  }
}
#endif
