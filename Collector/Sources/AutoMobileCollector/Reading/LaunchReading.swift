/// Asks for launches, and for what could not be indexed.
protocol LaunchReading: Sendable {
  /// Launches, newest first.
  func list(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<LaunchRow>

  /// Records that could not be indexed, newest first.
  func quarantine(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<QuarantineRow>
}
