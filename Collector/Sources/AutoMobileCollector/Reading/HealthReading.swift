/// Asks how well apps do.
protocol HealthReading: Sendable {
  func report(_ scope: ReadScope, _ filter: HealthFilter) async throws -> HealthReport

  /// What devices keep instead of sending it.
  func savings(_ scope: ReadScope, _ filter: HealthFilter) async throws -> UploadSavings

  /// The apps that have sessions.
  func apps(_ scope: ReadScope) async throws -> KnownApps
}
