import Foundation

@testable import AutoMobileCollector

/// A `network_request` event as an app records it.
struct RecordedRequest {
  var method = "GET"
  var url: String
  var status: Int? = 200
  var duration: Double? = 100
  var at = 1_700_000_000_000
  var context: Int? = 1
  /// Further members, as JSON: `"tracerId":"t-1"`.
  var more: [String] = []

  var json: String {
    var members = ["\"eventType\":\"network_request\"", "\"timestamp\":\(at)"]
    members += ["\"method\":\(Self.text(method))", "\"url\":\(Self.text(url))"]
    if let status { members.append("\"statusCode\":\(status)") }
    if let duration { members.append("\"durationMs\":\(duration)") }
    if let context { members.append("\"contextId\":\(context)") }
    return "{\((members + more).joined(separator: ","))}"
  }

  static func text(_ value: String) -> String { JSONTree.string(value).text }
}

extension RawBatch {
  mutating func add(_ request: RecordedRequest) { add(.event, request.json) }
}

extension String {
  /// As a value in a query.
  var inQuery: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
