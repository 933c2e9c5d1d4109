import AutoMobileState
import Foundation

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
  static func issuer(in state: borrowing StateWriting, new: String) throws -> String {
    let select: StateSQL = "SELECT issuer FROM configuration_store"
    if let known: String = try state.value(select) { return known }
    try state.execute("INSERT INTO configuration_store(id, issuer) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING", new)
    return try state.value(select) ?? new
  }

  /// Nil when nobody has made it.
  static func issuer(in state: borrowing StateReading) throws -> String? {
    try state.value("SELECT issuer FROM configuration_store")
  }

  static func documents(in state: borrowing StateReading) throws -> [ConfigurationStore.Document] {
    try state.rows("SELECT bundleId, version, document, changedAt, changedBy FROM configuration").map(document)
  }

  static func history(
    of bundle: String, limit: Int, in state: borrowing StateReading
  ) throws -> [ConfigurationStore.Document] {
    try state.rows(
      """
      SELECT bundleId, version, document, changedAt, changedBy FROM configuration_change
      WHERE bundleId = ?1 ORDER BY version DESC LIMIT ?2
      """, bundle, limit
    ).map(document)
  }

  static func write(_ document: ConfigurationStore.Document, in state: borrowing StateWriting) throws {
    let text = document.sections.text
    try state.execute(
      """
      INSERT INTO configuration(bundleId, version, document, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (bundleId) DO UPDATE SET version = ?2, document = ?3, changedAt = ?4, changedBy = ?5
      """, document.bundle, document.version, text, document.changedAt, document.changedBy)
    try state.execute(
      """
      INSERT INTO configuration_change(bundleId, version, document, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5)
      """, document.bundle, document.version, text, document.changedAt, document.changedBy)
    try state.execute(
      """
      DELETE FROM configuration_change
      WHERE version <= (SELECT version FROM configuration_change ORDER BY version DESC LIMIT 1 OFFSET ?1)
      """, historyLength)
    try state.tell(.configuration, document.bundle)
  }

  /// Looks at each document of the history in whose JSON a text stands; one that `change` has changed is written in its place.
  static func rewriteHistory(
    containing text: String, in state: borrowing StateWriting,
    _ change: (inout ConfigurationStore.Document) throws -> Bool
  ) throws {
    let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    // Upper and lower case are the same here: `change` looks closer.
    let versions = try state.rows(
      "SELECT version FROM configuration_change WHERE document LIKE ?1 ESCAPE '\\'", "%\(escaped)%")
    for version in versions {
      let row = try state.row(
        "SELECT bundleId, version, document, changedAt, changedBy FROM configuration_change WHERE version = ?1",
        try version[0] as Int64)
      guard let row else { continue }
      var old = try document(row)
      guard try change(&old) else { continue }
      try state.execute(
        "UPDATE configuration_change SET document = ?1 WHERE version = ?2", old.sections.text, old.version)
    }
  }

  private static func document(_ row: StateRow) throws -> ConfigurationStore.Document {
    let text: String = try row[2]
    return try ConfigurationStore.Document(
      bundle: row[0], version: row[1], sections: JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)),
      changedAt: row[3], changedBy: row[4])
  }
}
