import AutoMobileHTTP

/// Asks for requests.
protocol RequestReading: Sendable {
  /// A page of requests.
  ///
  /// - Returns: the requests, where to go on (there may be more even when the page is empty), and whether so many words begin
  ///   like the ones searched for that it was looked for whole words only.
  func list(
    _ scope: ReadScope, _ filter: NetworkFilter, after: PageCursor?, limit: Int
  ) async throws -> (rows: [NetworkRow], next: PageCursor?, isWholeWords: Bool)

  /// Requests counted by endpoint and by host: the newest of those that the filter leaves.
  func statistics(_ scope: ReadScope, _ filter: NetworkFilter) async throws -> NetworkStatistics

  /// The events of requests, with their WebSocket frames, in the order of the rows: the first, and as many more as are not
  /// too large together.
  ///
  /// - Returns: besides, how many of the rows these are.
  func exchanges(
    _ scope: ReadScope, _ rows: ArraySlice<NetworkRow>
  ) async throws -> (exchanges: [(exchange: HTTPExchange, frames: [HTTPWebSocketFrame])], rows: Int)

  /// One request's event with the WebSocket frames that belong to it, and how many there are.
  ///
  /// - Throws: ``APIError`` when there is no such request.
  func exchange(
    _ scope: ReadScope, _ id: Int64
  ) async throws -> (event: EventRow, frames: [EventRow], frameCount: Int)
}
