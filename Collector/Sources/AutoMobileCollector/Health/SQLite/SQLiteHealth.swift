/// How well apps do, read out of the index.
struct SQLiteHealth: HealthReading {
  let store: EventStore

  func report(_ scope: ReadScope, _ filter: HealthFilter) async throws -> HealthReport {
    try await store.read(scope, .heavy) { try HealthReport(filter, $0) }
  }

  func savings(_ scope: ReadScope, _ filter: HealthFilter) async throws -> UploadSavings {
    try await store.read(scope, .heavy) { try UploadSavings(filter, $0) }
  }

  func apps(_ scope: ReadScope) async throws -> KnownApps {
    try await store.read(scope, .heavy) { try KnownApps($0) }
  }
}
