import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct SpanReadingTests {
  private static func described(_ spans: Page<SpanRow>?, _ events: [Int64: String]) -> String {
    guard let spans else { return "no session" }
    return "\(spans.isFull)\n"
      + spans.rows.map { span in
        var row = span
        (row.begun, row.ended) = (span.begun.map { _ in 1 }, span.ended.map { _ in 2 })
        row.session = row.session.map { String($0.prefix { $0 != "@" }) }
        var json = JSONOutput()
        row.write(to: &json)
        let told = [span.begun, span.ended].map { $0.map { events[$0] ?? "?" } ?? "-" }.joined(separator: " ")
        return "\(told) \(String(buffer: json.buffer))"
      }.joined(separator: "\n")
  }

  @Test func `A session's spans are those that began in it, whatever session they ended in`() async throws {
    let twins = try await Twins.shop
    let scope = try await twins.store.only("dev.example.shop")
    for session in ["s1", "s2", "none"] {
      for limit in [1, 100] {
        try await twins.compare("\(session), \(limit)") {
          try await SQLiteSpans(store: twins.store).list(scope, of: session, newer: nil, after: nil, limit: limit)
        } _: {
          try await ClickHouseSpans(telemetry: $0).list(scope, of: session, newer: nil, after: nil, limit: limit)
        } as: {
          Self.described($0, $1)
        }
      }
    }
    // What is told of after the newest event that the other page has seen.
    func newer(_ spans: any SpanReading) async throws -> Page<SpanRow>? {
      let all = try #require(try await spans.list(scope, of: "s1", newer: nil, after: nil, limit: 100))
      let seen = all.rows.compactMap(\.ended).min()
      return try await spans.list(scope, of: "s1", newer: seen, after: nil, limit: 100)
    }
    try await twins.compare("newer") {
      try await newer(SQLiteSpans(store: twins.store))
    } _: {
      try await newer(ClickHouseSpans(telemetry: $0))
    } as: {
      Self.described($0, $1)
    }
  }

  @Test func `A trace goes over sessions and apps, as far as they may be seen`() async throws {
    let twins = try await Twins.shop
    let trace = try #require(TraceName(ShopDeliveries.trace))
    var scopes = [("everything", try twins.store.everything())]
    for bundle in ["dev.example.shop", "dev.example.shop2", "dev.example"] {
      scopes.append((bundle, try await twins.store.only(bundle)))
    }
    for (name, scope) in scopes {
      for limit in [1, 2, 100] {
        func pages(_ spans: any SpanReading) async throws -> (pages: [Page<SpanRow>], requests: [TracedRequest]) {
          var pages: [Page<SpanRow>] = []
          var requests: [TracedRequest] = []
          var cursor: PageCursor?
          repeat {
            let page = try await spans.trace(scope, trace, after: cursor, limit: limit)
            pages.append(page.spans)
            requests += page.requests
            cursor = page.spans.isFull ? page.spans.rows.last?.cursor : nil
          } while cursor != nil && pages.count < 50
          return (pages, requests)
        }
        try await twins.compare("\(name), \(limit)") {
          try await pages(SQLiteSpans(store: twins.store))
        } _: {
          try await pages(ClickHouseSpans(telemetry: $0))
        } as: { found, events in
          (found.pages.map { Self.described($0, events) }
            + found.requests.map { "\($0.request.described(events)) \($0.span ?? 0) \($0.parent ?? 0)" })
            .joined(separator: "\n")
        }
      }
    }
  }
}
