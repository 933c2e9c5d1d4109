import AutoMobileState
import Foundation

/// The rows of projects and keys.
enum ProjectTables {
  static let sql = """
    CREATE TABLE project(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, bundleId TEXT NOT NULL UNIQUE, createdAt INTEGER NOT NULL,
      createdBy TEXT NOT NULL);
    -- Rows stay when a key is revoked: who had one, and until when.
    CREATE TABLE project_key(
      id INTEGER PRIMARY KEY,
      -- Of ingest keys, and of others that are for one project; nil: good for all.
      project INTEGER,
      name TEXT NOT NULL, role TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE,
      -- The last characters, by which people tell keys apart.
      hint TEXT NOT NULL,
      createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL,
      lastUsedAt INTEGER,
      -- From then on it is not good any more; nil: for ever.
      endsAt INTEGER);
    """

  /// What is checked from memory.
  struct Known: Sendable {
    var keys: [AccessKey]
    var byHash: [Data: AccessKey]
    /// Of projects, by number.
    var bundles: [Int64: String]
    /// The apps that are projects.
    var apps: Set<String>
    /// Those of them whose sessions are kept for days of their own.
    var days: [String: Int]
  }

  static func known(in state: borrowing StateReading) throws -> Known {
    let keys = try keys(in: state)
    let projects = try state.rows("SELECT id, bundleId, days FROM project").map {
      (id: try $0[0] as Int64, bundle: try $0[1] as String, days: try $0[2] as Int64?)
    }
    return Known(
      keys: keys, byHash: Dictionary(keys.map { ($0.hash, $0) }) { _, last in last },
      bundles: Dictionary(projects.map { ($0.id, $0.bundle) }) { _, last in last }, apps: Set(projects.map(\.bundle)),
      days: Dictionary(projects.compactMap { project in project.days.map { (project.bundle, Int($0)) } }) { $1 })
  }

  static func projects(in state: borrowing StateReading) throws -> [ProjectStore.Project] {
    try state.rows("SELECT id, name, bundleId, createdAt, tracker, days FROM project ORDER BY name, id").map { row in
      try ProjectStore.Project(
        id: row[0], name: row[1], bundleId: row[2], createdAt: row[3], tracker: row[4],
        days: (row[5] as Int64?).map { Int($0) })
    }
  }

  static func keys(in state: borrowing StateReading) throws -> [AccessKey] {
    try state.rows(
      """
      SELECT project_key.id, project, project_key.name, role, hash, hint, project_key.createdAt, lastUsedAt, endsAt,
        bundleId
      FROM project_key LEFT JOIN project ON project.id = project ORDER BY project_key.id
      """
    ).compactMap { row in
      guard let role = AccessKey.Role(rawValue: try row[3]) else { return nil }
      return try AccessKey(
        id: row[0], project: row[1], name: row[2], role: role, hash: row[4], hint: row[5], createdAt: row[6],
        lastUsedAt: row[7], endsAt: row[8], bundleId: row[9])
    }
  }

  static func insert(
    _ key: NewKey, by author: String, at now: Int64, in state: borrowing StateWriting
  ) throws -> Int64 {
    try state.value(
      """
      INSERT INTO project_key(project, name, role, hash, hint, createdAt, createdBy) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      RETURNING id
      """, key.project, key.name, key.role.rawValue, Data(SHA256.hash(key.secret)), String(key.secret.suffix(4)), now,
      author
    ) ?? 0
  }

  /// No later than before.
  static let end: StateSQL = "UPDATE project_key SET endsAt = CASE WHEN endsAt < ?1 THEN endsAt ELSE ?1 END"
}

/// A key that the collector knows by its hash.
struct AccessKey: Sendable, Equatable {
  enum Role: String, Sendable, CaseIterable {
    /// Delivers what one app records. It is in every copy of the app, so it reads nothing.
    case ingest
    /// Reads everything, or what belongs to a project.
    case viewer
    /// Reads and changes everything, or what belongs to a project.
    case `operator`
  }

  var id: Int64
  var project: Int64?
  var name: String
  var role: Role
  var hash: Data
  var hint: String
  var createdAt: Int64
  var lastUsedAt: Int64?
  var endsAt: Int64?
  /// The app of its project.
  var bundleId: String?

  func isGood(at now: Int64) -> Bool { endsAt.map { now < $0 } ?? true }
}

/// A key that is being made: the only moment at which the secret itself is known.
struct NewKey: Sendable {
  var project: Int64?
  var name: String
  var role: AccessKey.Role
  let secret: String

  init(project: Int64?, name: String, role: AccessKey.Role) {
    self.project = project
    self.name = name
    self.role = role
    // 190 bits, from the system's generator.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    var generator = SystemRandomNumberGenerator()
    let random = (0..<32).compactMap { _ in alphabet.randomElement(using: &generator) }
    secret = "am_\(role.rawValue)_" + String(random)
  }
}
