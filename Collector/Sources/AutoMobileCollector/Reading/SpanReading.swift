/// Asks for spans.
protocol SpanReading: Sendable {
  /// The spans that began in a session, in the order of their begins; nil when there is no such session.
  ///
  /// - Parameter newer: only those of which an event after the one of this number tells.
  func list(
    _ scope: ReadScope, of session: String, newer: Int64?, after: PageCursor?, limit: Int
  ) async throws -> Page<SpanRow>?

  /// All spans of a trace, whatever app and session they are of, in the order of their begins; and, with the first page, its requests.
  func trace(
    _ scope: ReadScope, _ trace: TraceName, after: PageCursor?, limit: Int
  ) async throws -> (spans: Page<SpanRow>, requests: [TracedRequest])
}
