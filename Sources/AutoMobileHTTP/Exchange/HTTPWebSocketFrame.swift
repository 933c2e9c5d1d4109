import AutoMobileSupport
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

  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    timestamp = members.value("timestamp")
    url = members.value("url")
    direction = members.value("direction", or: .sent)
    kind = members.value("frameType", or: .text)
    exchangeID = members.value("requestId")
    let text: String? = members.value("payload")
    let size: Int? = members.value("payloadSize")
    if text != nil || size != nil {
      let encoding: String? = members.value("payloadEncoding")
      let bytes = text.map { encoding == "base64" ? Data(base64Encoded: $0) ?? Data() : Data($0.utf8) }
      payload = HTTPBody(bytes: bytes, size: size ?? bytes?.count ?? 0)
    }
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", "websocket_frame")
    members.add("timestamp", timestamp)
    members.add("url", url)
    members.add("direction", direction)
    members.add("frameType", kind)
    members.add("requestId", exchangeID)
    members.add("payloadSize", payload?.size)
    if let text = payload?.text {
      members.add("payload", text)
    } else if let bytes = payload?.bytes {
      members.add("payload", bytes.base64EncodedString())
      members.add("payloadEncoding", "base64")
    }
    try members.end()
  }
}
