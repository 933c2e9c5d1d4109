/// One request in a list.
struct NetworkRow: Weighed, Sendable {
  var event: Int64
  var timestamp: Int64
  var method: String
  var host: String
  var path: String
  var query: String?
  var route: String
  var status: Int64?
  /// In microseconds.
  var duration: Int64?
  var sent: Int64?
  var received: Int64?
  var hasFailed: Bool
  var error: String?
  /// The process ended before an answer came: without an answer or an error, everything else has failed.
  var isUnfinished: Bool { status == nil && error == nil && !hasFailed }
  var tracer: String?
  var mock: String?
  var operation: String?
  var sessionId: String
  var userId: String?
  var bundleId: String?
  /// What of its event was found, when it is not to be seen in the row.
  var match: SearchMatch?

  var weight: Int {
    500 + method.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + route.utf8.count
      + [error, tracer, mock, operation, userId].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// Where a page that ends with this one ends.
  func cursor(_ order: NetworkFilter.Order) -> PageCursor {
    PageCursor(key: order == .slowest ? duration ?? 0 : timestamp, id: event)
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", event)
      $0.member("timestamp", timestamp)
      $0.member("method", method)
      $0.member("host", host)
      $0.member("path", path)
      $0.member("query", query)
      $0.member("route", route)
      $0.member("statusCode", status)
      if let duration { $0.member("durationMs", number: Double(duration) / 1000) }
      $0.member("sent", sent)
      $0.member("received", received)
      $0.member("failed", hasFailed)
      if isUnfinished { $0.member("unfinished", true) }
      $0.member("error", error)
      $0.member("tracerId", tracer)
      $0.member("mockRule", mock)
      $0.member("graphQLOperation", operation)
      $0.member("sessionId", sessionId)
      $0.member("userId", userId)
      $0.member("bundleId", bundleId)
      match?.write(to: &$0)
    }
  }
}
