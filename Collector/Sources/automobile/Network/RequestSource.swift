import AutoMobileHTTP
import Foundation

/// Where requests are kept: a collector, or a log on a device.
protocol RequestSource: Sendable {
  /// Newest first, or slowest first.
  func requests(_ filter: RequestFilter, slowest: Bool, limit: Int) async throws -> [RequestSummary]
  /// One, whole, with its WebSocket frames.
  ///
  /// - Throws: ``Failure`` when there is none of this name.
  func exchange(_ name: String) async throws -> RecordedExchange
  /// Counted by endpoint, the most frequent first.
  func endpoints(_ filter: RequestFilter) async throws -> [EndpointSummary]
  /// An HTTP archive, in pieces; oldest first.
  ///
  /// - Returns: how many entries it has: requests, and the redirects on their way.
  func archive(_ filter: RequestFilter, limit: Int?, to write: (Data) throws -> Void) async throws -> Int
  /// Calls `each` with every request that is recorded from now on, until it returns false.
  func follow(_ filter: RequestFilter, each: (RequestSummary) -> Bool) async throws
}

/// One request in a list.
struct RequestSummary: Sendable {
  /// By which it is asked for.
  var name: String
  var timestamp: Int64
  var method: String
  var host: String
  /// With its query.
  var path: String
  var status: Int?
  var durationMs: Double?
  var received: Int?
  var hasFailed: Bool
  /// Of a request with neither answer nor error: what is known of it, in two words.
  var unfinished: String?
  var error: String?
  var tracer: String?
  var mockRule: String?
  var operation: String?
  /// The user, or the app.
  var who: String?
  /// The moment in the viewer; a log on a device has none.
  var link: String?
  /// As its source has it.
  var json: JSON
}

/// One request, whole.
struct RecordedExchange: Sendable {
  var exchange: HTTPExchange
  var frames: [HTTPWebSocketFrame]
  /// Of one that is not finished, whether its app still waits for the answer; nil when that is not known.
  var isUnderWay: Bool?
  var json: JSON
}

/// The requests of one endpoint.
struct EndpointSummary: Sendable {
  var method: String
  var host: String
  var route: String
  var count: Int
  var failed: Int
  var medianMs: Double?
  var p95Ms: Double?
  var slowestMs: Double?
  var received: Int
  var json: JSON
}
