import GRDB

/// What is to be erased from where telemetry has no numbers of rows, by its names. They go with the step that they are for.
///
/// A list belongs to an erasure, or is the one of what came ``late``.
struct ErasureNames {
  enum Kind: String {
    case session
    /// A launch that was in one.
    case launch
    /// A launch that was in no other.
    case alone
    /// As its app calls it.
    case replay
    /// `host/path` of requests.
    case place
    /// The list has been counted.
    case counted
    /// What came before the marks were known is in the list.
    case looked
  }

  struct Name: Hashable, Sendable {
    /// The owner's name.
    var project: String
    var name: String

    var owner: DataOwner { DataOwner(name: project) }
  }

  static let late: Int64 = 0

  static let table = """
    CREATE TABLE erasure_name(
      erasure INTEGER NOT NULL, kind TEXT NOT NULL, project TEXT NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (erasure, kind, project, name)) WITHOUT ROWID;
    """

  let database: Database
  let list: Int64

  /// - Returns: whether it was not in the list.
  @discardableResult
  func add(_ kind: Kind, _ name: Name) throws -> Bool {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO erasure_name VALUES (?, ?, ?, ?)")
      .execute(arguments: [list, kind.rawValue, name.project, name.name])
    return database.changesCount == 1
  }

  func all(_ kind: Kind) throws -> [Name] {
    try Row.fetchAll(
      database, sql: "SELECT project, name FROM erasure_name WHERE erasure = ? AND kind = ?",
      arguments: [list, kind.rawValue]
    ).map { Name(project: $0[0], name: $0[1]) }
  }

  func remove() throws {
    try database.execute(sql: "DELETE FROM erasure_name WHERE erasure = ?", arguments: [list])
  }
}
