#if os(macOS) || os(Linux)
import AutoMobileHTTP
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that an app makes inside of a span.
@Suite(.serialized) struct SpanRequestTests {
  private func recorded(_ harness: NetworkHarness) async throws -> HTTPExchange {
    try #require(await eventually { (try? harness.exchanges().count) == 1 })
    return try #require(try harness.exchanges().first)
  }

  private func session(_ harness: NetworkHarness) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    harness.network.register(in: configuration)
    return URLSession(configuration: configuration)
  }

  @Test func `a request carries its span's trace to a listed host, and its record names both`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try NetworkHarness()
    defer { harness.network.reset() }
    harness.network.setTraceparentHosts(["127.0.0.*"])
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    let context = try await harness.sdk.sdk.span("checkout") { span in
      _ = try await session.data(from: server.url)
      return span.context
    }
    let sent = try #require(server.requests.first?.headers["traceparent"].flatMap { SdkSpanContext(traceparent: $0) })
    #expect(sent.traceId == context.traceId && sent.spanId != context.spanId)
    let exchange = try await recorded(harness)
    #expect(exchange.traceparent == sent.traceparent)
    #expect(exchange.traceId == context.traceId && exchange.parentSpanId == context.spanId)
  }

  @Test func `no other host hears of the trace, and the record names it all the same`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try NetworkHarness()
    defer { harness.network.reset() }
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    let context = await harness.sdk.sdk.span("checkout") { span in
      await withCheckedContinuation { done in
        session.dataTask(with: URLRequest(url: server.url)) { _, _, _ in done.resume() }.resume()
      }
      return span.context
    }
    #expect(server.requests.first?.headers["traceparent"] == nil)
    let exchange = try await recorded(harness)
    #expect(exchange.traceparent == nil)
    #expect(exchange.traceId == context.traceId && exchange.parentSpanId == context.spanId)
  }

  @Test func `a request recorded by hand is its span's, and one outside of all spans nobody's`() async throws {
    let harness = try NetworkHarness()
    defer { harness.network.reset() }
    let context = harness.sdk.sdk.span("sync") { span in
      harness.network.recordRequest(url: "https://a.example/", method: "GET")
      return span.context
    }
    harness.network.recordRequest(url: "https://b.example/", method: "GET")
    let exchanges = try harness.exchanges()
    #expect(exchanges.map(\.traceId) == [context.traceId, nil])
    #expect(exchanges.map(\.parentSpanId) == [context.spanId, nil])
  }

  @Test func `a request that is asked about inside of a span is known by that when it loads elsewhere`() {
    let spans = RequestSpans()
    let request = URLRequest(url: URL(fileURLWithPath: "/dev/null"))
    let task = URLSession.shared.dataTask(with: request)
    spans.note(task)
    spans.note(request)
    #expect(spans.take(task, request) == nil, "there was no span")
    let (first, second) = (SdkSpanContext(), SdkSpanContext())
    first.asCurrent { spans.note(request) }
    second.asCurrent { spans.note(request) }
    first.asCurrent { spans.note(task) }
    #expect(spans.take(task, request) == first)
    #expect(spans.take(nil, request) == first && spans.take(task, request) == second)
    #expect(spans.take(task, request) == nil, "each once")
    first.asCurrent { spans.note(request) }
    let other = URLRequest(url: URL(fileURLWithPath: "/dev/zero"))
    for _ in 0..<64 { second.asCurrent { spans.note(other) } }
    #expect(spans.take(nil, request) == nil, "not more than the last ones are kept")
  }
}
#endif
