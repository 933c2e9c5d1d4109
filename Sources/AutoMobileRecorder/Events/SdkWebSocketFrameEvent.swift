import AutoMobileHTTP
import AutoMobileSupport

/// A frame went over a WebSocket.
public struct SdkWebSocketFrameEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let url: String
  public let direction: WebSocketFrameDirection
  public let frameType: WebSocketFrameType
  /// In bytes.
  public let payloadSize: Int?
  /// Joins the frames of a connection with each other, and with the request that opened it.
  public let requestId: String?
  /// What the frame held, as text or base64. Only in debug builds, when the app asks for it.
  public private(set) var payload: String?
  /// `base64` when the payload is no UTF-8.
  public private(set) var payloadEncoding: String?

  public init(
    timestamp: Int64 = EventClock.now(), url: String, direction: WebSocketFrameDirection, frameType: WebSocketFrameType,
    payloadSize: Int? = nil, requestId: String? = nil
  ) {
    eventType = .webSocketFrame
    self.timestamp = timestamp
    self.url = url
    self.direction = direction
    self.frameType = frameType
    self.payloadSize = payloadSize
    self.requestId = requestId
  }

  /// - Parameter payload: already redacted.
  package init(
    timestamp: Int64, url: String, direction: WebSocketFrameDirection, frameType: WebSocketFrameType,
    payload: HTTPBody?, requestId: String?
  ) {
    let recorded = RecordedBody(payload)
    self.init(
      timestamp: timestamp, url: url, direction: direction, frameType: frameType, payloadSize: recorded.size,
      requestId: requestId)
    self.payload = recorded.text
    payloadEncoding = recorded.encoding
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.add("url", url)
    json.add("direction", direction.rawValue)
    json.add("frameType", frameType.rawValue)
    json.add("payloadSize", payloadSize)
    json.add("requestId", requestId)
    json.add("payload", payload)
    json.add("payloadEncoding", payloadEncoding)
  }
}

/// Which way a WebSocket frame went, seen from the app.
public enum WebSocketFrameDirection: String, Codable, Sendable, CaseIterable {
  case sent, received
}

/// What a WebSocket frame is (RFC 6455, section 5.6 and 5.5).
public enum WebSocketFrameType: String, Codable, Sendable, CaseIterable {
  case text, binary, ping, pong, close
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkWebSocketFrameEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    url = members.value("url")
    direction = members.value("direction", or: .sent)
    frameType = members.value("frameType", or: .text)
    payloadSize = members.value("payloadSize")
    requestId = members.value("requestId")
    payload = members.value("payload")
    payloadEncoding = members.value("payloadEncoding")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("url", url)
    members.add("direction", direction)
    members.add("frameType", frameType)
    members.add("payloadSize", payloadSize)
    members.add("requestId", requestId)
    members.add("payload", payload)
    members.add("payloadEncoding", payloadEncoding)
    try members.end()
  }
}
