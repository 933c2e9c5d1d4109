import Foundation
import GRDB

/// The rows of the ``ConfigurationStore``.
enum ConfigurationTables {
  static let sql = """
    CREATE TABLE configuration_store(id INTEGER PRIMARY KEY CHECK (id = 1), issuer TEXT NOT NULL);
    CREATE TABLE configuration(
      bundleId TEXT PRIMARY KEY, version INTEGER NOT NULL, document TEXT NOT NULL,
      changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL) WITHOUT ROWID;
    -- Who changed what, and when.
    CREATE TABLE configuration_change(
      version INTEGER PRIMARY KEY, bundleId TEXT NOT NULL, document TEXT NOT NULL,
      changedAt INTEGER NOT NULL, changedBy TEXT NOT NULL);
    CREATE INDEX configuration_change_bundle ON configuration_change(bundleId, version);
    """

  /// Changes that are remembered.
  private static let historyLength = 1000

  /// The store's name, made the first time.
  static func issuer(in database: Database) throws -> String {
    if let known = try String.fetchOne(database, sql: "SELECT issuer FROM configuration_store") { return known }
    let issuer = UUID().uuidString.lowercased()
    try database.execute(sql: "INSERT INTO configuration_store VALUES (1, ?)", arguments: [issuer])
    return issuer
  }

  static func documents(in database: Database) throws -> [ConfigurationStore.Document] {
    try Row.fetchAll(
      database, sql: "SELECT bundleId, version, document, changedAt, changedBy FROM configuration"
    ).map(document)
  }

  static func history(of bundle: String, limit: Int, in database: Database) throws -> [ConfigurationStore.Document] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT bundleId, version, document, changedAt, changedBy FROM configuration_change
        WHERE bundleId = ? ORDER BY version DESC LIMIT ?
        """, arguments: [bundle, limit]
    ).map(document)
  }

  static func write(_ document: ConfigurationStore.Document, in database: Database) throws {
    let text = document.sections.text
    try database.execute(
      sql: """
        INSERT INTO configuration VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET version = ?2, document = ?3, changedAt = ?4, changedBy = ?5
        """, arguments: [document.bundle, document.version, text, document.changedAt, document.changedBy])
    try database.execute(
      sql: "INSERT INTO configuration_change(bundleId, version, document, changedAt, changedBy) VALUES (?, ?, ?, ?, ?)",
      arguments: [document.bundle, document.version, text, document.changedAt, document.changedBy])
    try database.execute(
      sql: """
        DELETE FROM configuration_change
        WHERE version <= (SELECT version FROM configuration_change ORDER BY version DESC LIMIT 1 OFFSET ?)
        """, arguments: [historyLength])
  }

  /// Looks at each document of the history in whose JSON a text stands; one that `change` has changed is written in its place.
  static func rewriteHistory(
    containing text: String, in database: Database,
    _ change: (inout ConfigurationStore.Document) throws -> Bool
  ) throws {
    let versions = try Int64.fetchAll(
      database, sql: "SELECT version FROM configuration_change WHERE instr(document, ?) > 0", arguments: [text])
    for version in versions {
      let row = try Row.fetchOne(
        database,
        sql: "SELECT bundleId, version, document, changedAt, changedBy FROM configuration_change WHERE version = ?",
        arguments: [version])
      guard let row else { continue }
      var old = try document(row)
      guard try change(&old) else { continue }
      try database.execute(
        sql: "UPDATE configuration_change SET document = ? WHERE version = ?", arguments: [old.sections.text, version])
    }
  }

  private static func document(_ row: Row) throws -> ConfigurationStore.Document {
    let text: String = row[2]
    return ConfigurationStore.Document(
      bundle: row[0], version: row[1], sections: try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)),
      changedAt: row[3], changedBy: row[4])
  }
}
