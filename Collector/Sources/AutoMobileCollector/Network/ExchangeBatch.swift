import AutoMobileHTTP

/// What an archive of requests has in memory at once: as many as are not too large together, and one at least.
struct ExchangeBatch {
  /// Of events, in bytes.
  static let bytes = 1 << 20

  private(set) var exchanges: [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])] = []
  /// So many have been looked for, whether they are there or not.
  private(set) var rows = 0
  private var left = Self.bytes

  var isFull: Bool { left <= 0 }

  mutating func add(_ found: (event: EventRow, frames: [EventRow])?) {
    rows += 1
    guard let (event, frames) = found else { return }
    left -= event.weight + frames.reduce(0) { $0 + $1.weight }
    exchanges.append(ExchangeReader.exchange(event, frames))
  }
}

extension ExchangeReader {
  /// The event of a number, which is a request's.
  ///
  /// - Throws: ``APIError`` 404 when there is none, or it is something else.
  static func request(_ event: EventRow?, _ id: Int64) throws -> EventRow {
    guard let event else { throw APIError.noEvent(id) }
    guard event.eventType == "network_request" else {
      throw APIError(.notFound, "no_request", "event \(id) is a \(event.eventType), not a network_request")
    }
    return event
  }
}

extension APIError {
  static func noEvent(_ id: Int64) -> APIError { APIError(.notFound, "no_event", "no event with number \(id)") }
}
