import Foundation

/// Asks for a session as it goes out in other formats: its events by the thousand, and each context once.
protocol OutgoingReading: Sendable {
  /// - Parameter spans: whether of what becomes spans, or of what does not; nil: of everything.
  /// - Throws: ``APIError`` 404.
  func session(_ scope: ReadScope, _ id: String, spans: Bool?) async throws -> OutgoingSession

  /// The events after a place, in the order of time; and whether there are more.
  func page(
    _ scope: ReadScope, _ session: OutgoingSession, after: PageCursor?
  ) async throws -> (rows: [OutgoingRow], isFull: Bool)

  /// What an event's context says, as JSON; nil when it has none.
  func context(_ scope: ReadScope, of row: OutgoingRow) async throws -> Data?

  /// The launches that a session is of, in the order in which they began.
  func launches(_ scope: ReadScope, of session: OutgoingSession) async throws -> [TraceLaunch]
}
