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

  public init(
    timestamp: Int64 = EventClock.now(), url: String, direction: WebSocketFrameDirection, frameType: WebSocketFrameType,
    payloadSize: Int? = nil
  ) {
    eventType = .webSocketFrame
    self.timestamp = timestamp
    self.url = url
    self.direction = direction
    self.frameType = frameType
    self.payloadSize = payloadSize
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("url", url)
    json.member("direction", direction.rawValue)
    json.member("frameType", frameType.rawValue)
    json.member("payloadSize", payloadSize)
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
