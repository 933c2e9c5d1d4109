import AutoMobileCollector
import AutoMobileHTTP
import Foundation
import NIOCore

/// The requests that a collector holds.
struct CollectorRequests: RequestSource {
  let client: CollectorClient

  func requests(_ filter: RequestFilter, slowest: Bool, limit: Int) async throws -> [RequestSummary] {
    let query = try await query(filter) + [("sort", slowest ? "slowest" : nil)]
    return try await client.pages("/api/network", "requests", query, limit: limit).map(summary)
  }

  func exchange(_ name: String) async throws -> RecordedExchange {
    guard let id = Int64(name) else {
      throw Failure(
        message: "“\(Printable.text(name))” is not the number of a request.",
        advice: "List them with: automobile network")
    }
    let answer = try await client.get("/api/network/\(id)")
    let event = answer["event"] ?? .null
    let (exchange, frames) = ExchangeReader.exchange(
      payload: Data((event["payload"] ?? .null).line.utf8), timestamp: event["timestamp"]?.integer ?? 0,
      frames: (answer["frames"]?.array ?? []).map { Data(($0["payload"] ?? .null).line.utf8) })
    return RecordedExchange(exchange: exchange, frames: frames, json: event)
  }

  func endpoints(_ filter: RequestFilter) async throws -> [EndpointSummary] {
    let answer = try await client.get("/api/network/stats", try await query(filter))
    return (answer["endpoints"]?.array ?? []).map { endpoint in
      EndpointSummary(
        method: endpoint["method"]?.text ?? "", host: endpoint["host"]?.text ?? "",
        route: endpoint["route"]?.text ?? "",
        count: endpoint["count"]?.int ?? 0, failed: endpoint["failed"]?.int ?? 0,
        medianMs: endpoint["medianMs"]?.number, p95Ms: endpoint["p95Ms"]?.number,
        slowestMs: endpoint["slowestMs"]?.number, received: endpoint["received"]?.int ?? 0, json: endpoint)
    }
  }

  func archive(_ filter: RequestFilter, limit: Int?, to write: (Data) throws -> Void) async throws -> Int {
    let request = client.request("/api/network/har", try await query(filter) + [("limit", limit.map(String.init))])
    var entries = HAREntryCount()
    try await client.stream(request) {
      entries.read($0.readableBytesView)
      try write(Data($0.readableBytesView))
    }
    return entries.count
  }

  func follow(_ filter: RequestFilter, each: (RequestSummary) -> Bool) async throws {
    let query = try await query(filter)
    var last: Int64?
    try await client.tail([("type", "network_request"), ("session", query.first { $0.0 == "session" }?.1)]) { message in
      switch message {
      case .listening where last == nil:
        // From here on: what comes while this is answered is heard of, and then asked for.
        last = try await client.get("/api/events", [("limit", "1")])["events"]?.array?.first?["id"]?.integer ?? 0
        Console.standard.note(Console.standard.errorStyle.dim("Waiting for requests. Ctrl-C to stop."))
        return true
      default:
        let arrived = try await client.pages(
          "/api/network", "requests", query + [("arrivedAfter", String(last ?? 0))], limit: 2000)
        for request in arrived.map(summary).reversed() {
          last = max(last ?? 0, Int64(request.name) ?? 0)
          if !each(request) { return false }
        }
        return true
      }
    }
  }

  // MARK: Asking

  private func query(_ filter: RequestFilter) async throws -> [(String, String?)] {
    let session = try await filter.session.asyncMap { try await client.session(named: $0)["sessionId"]?.string ?? $0 }
    return [
      ("session", session), ("method", filter.method), ("status", filter.status?.lowercased()), ("host", filter.host),
      ("path", filter.path), ("minMs", filter.slowerThan.map { String($0.value) }), ("q", filter.text),
      ("tracer", filter.tracer), ("mocked", filter.mocked ? "true" : nil), ("failed", filter.failed ? "true" : nil),
      ("app", filter.app), ("from", filter.since.map { String($0.milliseconds) }),
      ("to", filter.until.map { String($0.milliseconds) }),
    ]
  }

  private func summary(_ request: JSON) -> RequestSummary {
    RequestSummary(
      name: request["id"]?.text ?? "", timestamp: request["timestamp"]?.integer ?? 0,
      method: request["method"]?.text ?? "", host: request["host"]?.text ?? "",
      path: (request["path"]?.text ?? "") + (request["query"].map { "?" + $0.text } ?? ""),
      status: request["statusCode"]?.int, durationMs: request["durationMs"]?.number,
      received: request["received"]?.int, hasFailed: request["failed"]?.bool ?? false,
      unfinished: request["unfinished"]?.bool == true ? "app ended" : nil, error: request["error"]?.text,
      tracer: request["tracerId"]?.text, mockRule: request["mockRule"]?.text,
      operation: request["graphQLOperation"]?.text,
      who: request["userId"]?.text ?? request["bundleId"]?.text, link: client.link(request), json: request)
  }
}

extension Optional {
  fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
    guard let self else { return nil }
    return try await transform(self)
  }
}
