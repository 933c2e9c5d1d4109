/// What alert rules are about, out of the index: each look is of one moment.
struct SQLiteAlerts: AlertReading {
  let store: EventStore

  func newest(_ kind: AlertRule.Kind) async throws -> Int64 {
    try await store.pool.read { try AlertLook.cursor(of: kind, in: $0) }
  }

  func look(_ rule: AlertRule, _ context: AlertLook.Context) throws -> AlertLook {
    try store.pool.read { try AlertLook(rule, context, in: $0) }
  }
}
