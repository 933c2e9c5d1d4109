import AutoMobileHTTP
import AutoMobileRecorder
import Foundation

/// For what cannot be intercepted: background sessions, other libraries.
extension AutoMobileNetwork {
  /// Records a request by hand. Headers, bodies and secrets are treated like those of requests that are intercepted.
  /// Durable when it returns.
  ///
  ///     AutoMobileNetwork.shared.recordRequest(
  ///       url: "https://api.example.com/orders", method: "POST", statusCode: 201, durationMs: 83.5)
  ///
  /// Sizes are in bytes, the bodies' when nil. The duration is from sending to the end of the response, in milliseconds; the request is
  /// taken to end now. `error` says why there was no response, `contentType` is the response's media type.
  public func recordRequest(
    url: String, method: String, requestHeaders: [String: String]? = nil, requestBodySize: Int? = nil,
    statusCode: Int? = nil, responseHeaders: [String: String]? = nil, responseBodySize: Int? = nil,
    durationMs: Double? = nil, error: String? = nil, requestBody: String? = nil, responseBody: String? = nil,
    contentType: String? = nil
  ) {
    let duration = durationMs.flatMap { $0.isFinite ? max(0, $0) : nil }
    let start = EventClock.now().subtracting(saturating: Int64(saturating: duration ?? 0))
    var exchange = HTTPExchange(id: UUID().uuidString, startedAt: start, method: method, url: url)
    exchange.requestHeaders = requestHeaders
    exchange.requestBody = body(requestBody, requestBodySize)
    exchange.statusCode = statusCode
    exchange.responseHeaders = responseHeaders
    exchange.responseBody = body(responseBody, responseBodySize)
    exchange.durationMs = duration
    exchange.error = error.map { HTTPFailure(message: $0) }
    exchange.contentType = contentType ?? responseHeaders?.value(of: "content-type")
    exchange.source = Self.manualSource
    exchange.join(.current)
    record(exchange)
    tellOthers(exchange)
  }

  static let manualSource = "manual"
  static let webSocketSource = "websocket"

  private func body(_ text: String?, _ size: Int?) -> HTTPBody? {
    guard let text else { return size.map { HTTPBody(bytes: nil, size: max(0, $0)) } }
    let bytes = Data(text.utf8)
    return HTTPBody(bytes: bytes, size: max(size ?? 0, bytes.count))
  }

  /// Records a frame of a WebSocket by hand, its size in bytes; ``webSocket(_:)`` does so by itself. Durable when it returns.
  public func recordWebSocketFrame(
    url: String, direction: WebSocketFrameDirection, frameType: WebSocketFrameType, payloadSize: Int? = nil
  ) {
    record(url: url, direction, frameType, HTTPBody(bytes: nil, size: payloadSize ?? -1), requestId: nil)
  }

  /// Whether a body of this media type is text: then it is recorded as it is, and otherwise as base64.
  public static func isTextContentType(_ contentType: String?) -> Bool {
    guard let type = contentType.map({ MediaType($0) }) else { return false }
    let texts = ["javascript", "x-javascript", "ecmascript", "graphql", "x-ndjson", "jsonl", "sql", "yaml", "x-yaml"]
    return type.isJSON || type.isXML || type.isForm || type.essence.hasPrefix("text/")
      || texts.contains { type.essence == "application/" + $0 }
  }
}
