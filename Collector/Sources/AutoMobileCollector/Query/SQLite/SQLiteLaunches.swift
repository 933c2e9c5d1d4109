import GRDB

/// Launches, read out of the index.
struct SQLiteLaunches: LaunchReading {
  let store: EventStore

  func list(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<LaunchRow> {
    try await store.read(scope) { database in
      try Page.fetch(
        database, sql: LaunchRow.select + " WHERE launch.id < ? ORDER BY launch.id DESC LIMIT ?",
        arguments: [before?.id ?? .max, limit], limit: limit, bytes: store.limits.pageBytes)
    }
  }

  func quarantine(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<QuarantineRow> {
    try await store.read(scope) { database in
      try Page.fetch(
        database,
        sql: """
          SELECT quarantine.id, launchId, sequence, kind, received, reason, payload, length
          FROM quarantine JOIN launch ON launch.id = quarantine.launch WHERE quarantine.id < ?
          ORDER BY quarantine.id DESC LIMIT ?
          """, arguments: [before?.id ?? .max, limit], limit: limit, bytes: store.limits.pageBytes)
    }
  }
}
