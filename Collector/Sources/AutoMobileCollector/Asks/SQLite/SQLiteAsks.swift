import GRDB

/// What has to do with asks, out of the index: its events' and contexts' numbers are the order in which they came.
struct SQLiteAsks: AskReading {
  let store: EventStore

  func session(_ scope: ReadScope, _ name: String, at now: Int64) async throws -> AskedSession? {
    try await store.read(scope) { try AskedSession(name, at: now, in: $0) }
  }

  func begin(_ ask: Ask) async throws -> (look: AskAudience.Look, newest: Int64) {
    try await store.pool.read {
      (try AskAudience.look(for: ask, after: 0, in: $0), try AskAudience.lastEvent(in: $0))
    }
  }

  func newestContext() throws -> Int64 { try store.pool.read { try AskAudience.lastContext(in: $0) } }

  func look(for ask: Ask, after first: Int64) throws -> AskAudience.Look {
    try store.pool.read { try AskAudience.look(for: ask, after: first, in: $0) }
  }

  func empty(_ asks: [Ask], at now: Int64) throws -> Set<Int64> {
    try store.pool.read { database in
      let empty = try asks.filter { ask in
        try ask.session.map { try AskAudience.keepsNothing(of: $0, at: now, in: database) } ?? false
      }
      return Set(empty.map(\.id))
    }
  }

  func arrived(after first: Int64, most: Int, _ open: @escaping @Sendable () -> [OpenAsk]) throws -> ArrivedEvents {
    try store.pool.read { try ArrivedEvents(after: first, most: most, open, in: $0) }
  }
}
