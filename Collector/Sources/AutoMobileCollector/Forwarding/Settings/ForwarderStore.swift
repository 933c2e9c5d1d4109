import Foundation
import GRDB

/// Forwarders, as operators set them.
struct ForwarderStore: Sendable {
  let store: EventStore

  static let none = APIError(.notFound, "no_forwarder", "there is no such forwarder")

  static func all(in database: Database) throws -> [Forwarder] {
    try Row.fetchAll(database, sql: "SELECT id, name, settings, changedAt, changedBy FROM forwarder ORDER BY id")
      .compactMap(forwarder)
  }

  static func forwarder(_ id: Int64, in database: Database) throws -> Forwarder? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, name, settings, changedAt, changedBy FROM forwarder WHERE id = ?"),
      arguments: [id]
    ).flatMap(forwarder)
  }

  private static func forwarder(_ row: Row) -> Forwarder? {
    guard
      let settings = try? JSONDecoder().decode(Forwarder.Settings.self, from: Data((row[2] as String).utf8))
    else { return nil }
    return Forwarder(id: row[0], name: row[1], settings: settings, changedAt: row[3], changedBy: row[4])
  }

  /// Adds a forwarder, which sends what comes from now on; or changes one, which goes on where it was.
  ///
  /// - Throws: ``APIError``.
  func save(_ body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64) async throws -> Int64 {
    try await store.pool.write { database in
      let before = try id.map { id in
        guard let forwarder = try Self.forwarder(id, in: database) else { throw Self.none }
        return forwarder
      }
      let (forwarder, fromBeginning) = try Forwarder.read(body, before: before)
      let other = try Int64.fetchOne(
        database, sql: "SELECT id FROM forwarder WHERE name = ? AND id IS NOT ?", arguments: [forwarder.name, id])
      guard other == nil else {
        throw APIError(.conflict, "name_taken", "another one is called “\(forwarder.name)”: give this one a name")
      }
      guard try id != nil || (Int.fetchOne(database, sql: "SELECT COUNT(*) FROM forwarder") ?? 0) < Forwarder.most
      else {
        throw APIError(.conflict, "too_many", "there are \(Forwarder.most) forwarders, which is the limit")
      }
      let settings = String(decoding: try JSONEncoder().encode(forwarder.settings), as: UTF8.self)
      let saved =
        try Int64.fetchOne(
          database,
          sql: """
            INSERT INTO forwarder(id, name, settings, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT(id) DO UPDATE SET name = ?2, settings = ?3, changedAt = ?4, changedBy = ?5 RETURNING id
            """, arguments: [id, forwarder.name, settings, now, author]) ?? 0
      if before == nil {
        let cursor = fromBeginning ? 0 : try ForwardLedger.newest(in: database)
        for signal in ForwardSignal.allCases {
          try database.execute(
            sql: "INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (?, ?, ?)",
            arguments: [saved, signal.rawValue, cursor])
        }
      }
      return saved
    }
  }

  func remove(_ id: Int64) async throws {
    try await store.pool.write { database in
      try database.execute(sql: "DELETE FROM forwarder WHERE id = ?", arguments: [id])
      guard database.changesCount > 0 else { throw Self.none }
      try database.execute(sql: "DELETE FROM forwarder_lane WHERE forwarder = ?", arguments: [id])
    }
  }
}
