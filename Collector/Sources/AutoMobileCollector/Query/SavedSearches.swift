import GRDB

/// Searches that were given a name, for everyone who looks: places in the viewer, as they stand in its address.
struct SavedSearches: Sendable {
  struct Search: Sendable, Equatable {
    var id: Int64
    var name: String
    var address: String
    var changedAt: Int64
    var changedBy: String
  }

  static let table = """
    CREATE TABLE saved_search(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, address TEXT NOT NULL, changedAt INTEGER NOT NULL,
      changedBy TEXT NOT NULL);
    """

  static let most = 200
  /// Of a name, in characters; and of an address, in bytes.
  static let longestName = 60
  static let longestAddress = 4000

  let store: EventStore

  /// By name, as people sort.
  func all(_ scope: ReadScope) async throws -> [Search] {
    try await store.read(scope) { database in
      try Row.fetchAll(database, sql: "SELECT id, name, address, changedAt, changedBy FROM saved_search")
        .map { Search(id: $0[0], name: $0[1], address: $0[2], changedAt: $0[3], changedBy: $0[4]) }
    }
    .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// Keeps a search. One of the same name leads there from now on.
  ///
  /// - Throws: ``APIError`` when there are too many.
  func save(name: String, address: String, by author: String, at now: Int64) async throws -> Int64 {
    try await store.pool.write { database in
      let id = try Int64.fetchOne(
        database,
        sql: """
          INSERT INTO saved_search(name, address, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT(name) DO UPDATE SET address = ?2, changedAt = ?3, changedBy = ?4 RETURNING id
          """, arguments: [name, address, now, author])
      let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM saved_search") ?? 0
      guard count <= Self.most else {
        throw APIError(.conflict, "too_many", "\(Self.most) searches are saved already: delete one first")
      }
      return id ?? 0
    }
  }

  /// - Throws: ``APIError`` when there is no such search, or another one has the name.
  func rename(_ id: Int64, to name: String, by author: String, at now: Int64) async throws {
    try await store.pool.write { database in
      let other = try Int64.fetchOne(
        database, sql: "SELECT id FROM saved_search WHERE name = ? AND id <> ?", arguments: [name, id])
      guard other == nil else { throw APIError(.conflict, "name_taken", "another search has this name") }
      try database.execute(
        sql: "UPDATE saved_search SET name = ?, changedAt = ?, changedBy = ? WHERE id = ?",
        arguments: [name, now, author, id])
      guard database.changesCount == 1 else { throw Self.unknown }
    }
  }

  /// - Throws: ``APIError`` when there is no such search.
  func delete(_ id: Int64) async throws {
    try await store.pool.write { database in
      try database.execute(sql: "DELETE FROM saved_search WHERE id = ?", arguments: [id])
      guard database.changesCount == 1 else { throw Self.unknown }
    }
  }

  private static let unknown = APIError(.notFound, "no_search", "no such search; it may have been deleted")
}
