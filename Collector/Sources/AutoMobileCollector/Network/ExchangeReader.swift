import AutoMobileHTTP
import Foundation

/// A stored event as an HTTP exchange.
package enum ExchangeReader {
  /// WebSocket frames that are shown with their request.
  static let frames = 500

  /// A request with its frames, from the events' JSON; frames that cannot be read are left out.
  package static func exchange(
    payload: Data, timestamp: Int64, frames: [Data]
  ) -> (exchange: HTTPExchange, frames: [HTTPWebSocketFrame]) {
    (
      exchange(payload, timestamp: timestamp),
      frames.compactMap { try? JSONDecoder().decode(HTTPWebSocketFrame.self, from: $0) }
    )
  }

  static func exchange(
    _ event: EventRow, _ frames: [EventRow]
  ) -> (exchange: HTTPExchange, frames: [HTTPWebSocketFrame]) {
    exchange(payload: event.payload, timestamp: event.timestamp, frames: frames.map(\.payload))
  }

  /// What can be read of it: members of other types than expected are left out, as they can come from anybody.
  static func exchange(_ payload: Data, timestamp: Int64) -> HTTPExchange {
    if let exchange = try? JSONDecoder().decode(HTTPExchange.self, from: payload) { return exchange }
    let tree = (try? JSONDecoder().decode(JSONTree.self, from: payload)) ?? .null
    var exchange = HTTPExchange(
      id: tree["requestId"]?.string ?? "", startedAt: timestamp, method: tree["method"]?.string ?? "GET",
      url: tree["url"]?.string ?? "")
    func headers(_ name: String) -> [String: String]? {
      guard case .object(let members) = tree[name] else { return nil }
      return members.compactMapValues(\.string)
    }
    func body(_ name: String) -> HTTPBody? {
      let text = tree[name]?.string
      let isBase64 = tree[name + "Encoding"]?.string == "base64"
      let bytes = text.map { isBase64 ? Data(base64Encoded: $0) ?? Data() : Data($0.utf8) }
      let size = tree[name + "Size"]?.integer.flatMap { Int(exactly: $0) } ?? bytes?.count
      return size.map { HTTPBody(bytes: bytes, size: $0) }
    }
    exchange.requestHeaders = headers("requestHeaders")
    exchange.requestBody = body("requestBody")
    exchange.statusCode = tree["statusCode"]?.integer.flatMap { Int(exactly: $0) }
    exchange.responseHeaders = headers("responseHeaders")
    exchange.responseBody = body("responseBody")
    exchange.contentType = tree["contentType"]?.string
    exchange.durationMs = tree["durationMs"]?.number
    exchange.error = tree["error"]?.string.map { HTTPFailure(message: $0) }
    exchange.graphQLOperation = tree["graphQLOperation"]?.string
    exchange.tracerId = tree["tracerId"]?.string
    exchange.mockRule = tree["mockRule"]?.string
    return exchange
  }
}

extension HTTPExchange {
  /// Whether frames went over it.
  var isWebSocket: Bool { statusCode == 101 || url.hasPrefix("ws://") || url.hasPrefix("wss://") }
}
