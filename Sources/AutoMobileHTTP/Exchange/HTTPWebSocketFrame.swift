import Foundation

/// A frame that went over a WebSocket.
///
/// Its JSON is the JSON of a `websocket_frame` event.
public struct HTTPWebSocketFrame: Codable, Sendable, Equatable {
  /// Seen from the app.
  public enum Direction: String, Codable, Sendable {
    case sent, received
  }

  /// RFC 6455, sections 5.5 and 5.6.
  public enum Kind: String, Codable, Sendable {
    case text, binary, ping, pong, close
  }

  /// In milliseconds since 1970.
  public var timestamp: Int64
  public var url: String
  public var direction: Direction
  public var kind: Kind
  /// Nil when not even the size is known.
  public var payload: HTTPBody?
  /// The ``HTTPExchange/id`` of the request that opened the connection, when it is known.
  public var exchangeID: String?

  public init(
    timestamp: Int64, url: String, direction: Direction, kind: Kind, payload: HTTPBody? = nil,
    exchangeID: String? = nil
  ) {
    self.timestamp = timestamp
    self.url = url
    self.direction = direction
    self.kind = kind
    self.payload = payload
    self.exchangeID = exchangeID
  }

  private enum Key: String, CodingKey {
    case eventType, timestamp, url, direction, frameType, payload, payloadSize, payloadEncoding, requestId
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    timestamp = try members.decode(Int64.self, forKey: .timestamp)
    url = try members.decode(String.self, forKey: .url)
    direction = try members.decode(Direction.self, forKey: .direction)
    kind = try members.decode(Kind.self, forKey: .frameType)
    exchangeID = try members.decodeIfPresent(String.self, forKey: .requestId)
    let text = try members.decodeIfPresent(String.self, forKey: .payload)
    let size = try members.decodeIfPresent(Int.self, forKey: .payloadSize)
    guard text != nil || size != nil else { return }
    let isBase64 = try members.decodeIfPresent(String.self, forKey: .payloadEncoding) == "base64"
    let bytes = text.map { isBase64 ? Data(base64Encoded: $0) ?? Data() : Data($0.utf8) }
    payload = HTTPBody(bytes: bytes, size: size ?? bytes?.count ?? 0)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode("websocket_frame", forKey: .eventType)
    try members.encode(timestamp, forKey: .timestamp)
    try members.encode(url, forKey: .url)
    try members.encode(direction, forKey: .direction)
    try members.encode(kind, forKey: .frameType)
    try members.encodeIfPresent(exchangeID, forKey: .requestId)
    try members.encodeIfPresent(payload?.size, forKey: .payloadSize)
    guard let bytes = payload?.bytes else { return }
    if let text = payload?.text {
      try members.encode(text, forKey: .payload)
    } else {
      try members.encode(bytes.base64EncodedString(), forKey: .payload)
      try members.encode("base64", forKey: .payloadEncoding)
    }
  }
}
