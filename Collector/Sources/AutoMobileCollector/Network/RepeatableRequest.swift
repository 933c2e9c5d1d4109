import AutoMobileHTTP
import Foundation
import HTTPTypes

/// What of a recorded request can be made again, and what cannot.
struct RepeatableRequest {
  let method: String
  let url: String
  /// Without those that belong to the connection or the body's length, and without what is not known.
  private(set) var headers: [(name: String, value: String)] = []
  /// Their values were redacted when the request was recorded; none are made up.
  private(set) var redacted: [String] = []
  private(set) var body: Data?
  /// Why it cannot be the same request; empty: it can, but for the headers that were redacted.
  private(set) var obstacles: [String] = []

  /// Of the connection, not of the request; and the length, which follows from the body.
  private static let left: Set = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect",
    "proxy-connection",
    "proxy-authorization",
  ]

  init(_ exchange: HTTPExchange) {
    method = HTTPRequest.Method(exchange.method) == nil ? "GET" : exchange.method
    url = exchange.url
    if HTTPRequest.Method(exchange.method) == nil { obstacles.append("its method is none that HTTP allows") }
    if Self.isMarked(url) { obstacles.append("values of its URL were redacted when it was recorded") }
    for (name, value) in (exchange.requestHeaders ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let field = HTTPField.Name(name), HTTPField.isValidValue(value), !Self.left.contains(field.canonicalName)
      else { continue }
      if Self.isMarked(value) { redacted.append(name) } else { headers.append((name, value)) }
    }
    take(exchange.requestBody, exchange)
  }

  private mutating func take(_ recorded: HTTPBody?, _ exchange: HTTPExchange) {
    if exchange.isUnfinished, !["GET", "HEAD"].contains(method), recorded?.bytes == nil {
      obstacles.append("it was recorded when it began: a body that it had is not known")
    }
    guard let recorded, recorded.size > 0 else { return }
    if recorded.isTruncated {
      obstacles.append("of its body of \(recorded.size) bytes, \(recorded.bytes?.count ?? 0) were captured")
    }
    if let text = recorded.text, Self.isMarked(text) {
      obstacles.append("parts of its body were redacted when it was recorded")
    }
    body = recorded.bytes.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func isMarked(_ value: String) -> Bool {
    value.contains(HTTPRedaction.mark) || value == "[redacted]"
  }
}
