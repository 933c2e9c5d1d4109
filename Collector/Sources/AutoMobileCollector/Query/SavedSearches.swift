import AutoMobileState

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

  let state: any StateStore

  /// By name, as people sort.
  ///
  /// - Throws: ``APIError`` when somebody does not see everything.
  func all(_ scope: ReadScope) async throws -> [Search] {
    _ = try scope.whole()
    return try await state.read { state in
      try state.rows("SELECT id, name, address, changedAt, changedBy FROM saved_search").map { row in
        try Search(id: row[0], name: row[1], address: row[2], changedAt: row[3], changedBy: row[4])
      }
    }
    .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// Keeps a search. One of the same name leads there from now on.
  ///
  /// - Throws: ``APIError`` when there are too many.
  func save(name: String, address: String, by author: String, at now: Int64) async throws -> Int64 {
    try await state.write { state in
      let id: Int64? = try state.value(
        """
        INSERT INTO saved_search(name, address, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (name) DO UPDATE SET address = ?2, changedAt = ?3, changedBy = ?4 RETURNING id
        """, name, address, now, author)
      let count: Int = try state.value("SELECT COUNT(*) FROM saved_search") ?? 0
      guard count <= Self.most else {
        throw APIError(.conflict, "too_many", "\(Self.most) searches are saved already: delete one first")
      }
      return id ?? 0
    }
  }

  /// - Throws: ``APIError`` when there is no such search, or another one has the name.
  func rename(_ id: Int64, to name: String, by author: String, at now: Int64) async throws {
    try await state.write { state in
      let other = try state.row("SELECT id FROM saved_search WHERE name = ?1 AND id <> ?2", name, id)
      guard other == nil else { throw APIError(.conflict, "name_taken", "another search has this name") }
      let count = try state.execute(
        "UPDATE saved_search SET name = ?1, changedAt = ?2, changedBy = ?3 WHERE id = ?4", name, now, author, id)
      guard count == 1 else { throw Self.unknown }
    }
  }

  /// - Throws: ``APIError`` when there is no such search.
  func delete(_ id: Int64) async throws {
    try await state.write { state in
      guard try state.execute("DELETE FROM saved_search WHERE id = ?1", id) == 1 else { throw Self.unknown }
    }
  }

  private static let unknown = APIError(.notFound, "no_search", "no such search; it may have been deleted")
}
