import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Projects (apps) and keys. Kept in the database; keys are checked from memory.
final class ProjectStore: Sendable {
  struct Project: Sendable {
    var id: Int64
    var name: String
    var bundleId: String
    var createdAt: Int64
    var sessions: Int64
    /// When something last came; milliseconds since 1970.
    var received: Int64?
    /// See ``TrackerTemplate``.
    var tracker: String?
  }

  private struct State: Sendable {
    var keys: [AccessKey] = []
    var byHash: [Data: AccessKey] = [:]
    /// The apps that are projects.
    var apps: Set<String> = []
    /// The same by number.
    var bundles: [Int64: String] = [:]
    /// When a key's use was last written down.
    var noted: [Int64: Int64] = [:]
  }

  static let maximumProjects = 500
  static let maximumKeys = 2000
  /// A key's last use is written down this often at most, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  private let pool: DatabasePool
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  init(pool: DatabasePool, logger: Logger) throws {
    self.pool = pool
    self.logger = logger
    remember(try pool.read { try ProjectTables.known(in: $0) })
  }

  // MARK: Keys, for whoever is at the door

  /// The good key that somebody presents.
  ///
  /// Found by its hash, so the time that it takes says nothing of other keys.
  func key(_ secret: String, at now: Int64) -> AccessKey? {
    guard secret.utf8.count <= 200 else { return nil }
    let hash = Data(SHA256.hash(secret))
    let (key, isNoted): (AccessKey?, Bool) = state.withLockedValue { state in
      guard let key = state.byHash[hash], key.isGood(at: now) else { return (nil, true) }
      let noted = state.noted[key.id] ?? 0
      guard now - noted >= Self.noteInterval else { return (key, true) }
      state.noted[key.id] = now
      return (key, false)
    }
    if let key, !isNoted {
      Task { [pool] in
        _ = try? await pool.write {
          try $0.execute(sql: "UPDATE project_key SET lastUsedAt = ? WHERE id = ?", arguments: [now, key.id])
        }
      }
    }
    return key
  }

  /// Whether a key that was good still is.
  func isGood(key: Int64, at now: Int64) -> Bool {
    state.withLockedValue { $0.keys.contains { $0.id == key && $0.isGood(at: now) } }
  }

  /// A key by its number, also one that has ended.
  func key(_ id: Int64) -> AccessKey? { state.withLockedValue { $0.keys.first { $0.id == id } } }

  /// The app of a project; nil when there is none of this number.
  func bundle(of project: Int64) -> String? { state.withLockedValue { $0.bundles[project] } }

  static func noKey(_ id: Int64) -> APIError { APIError(.notFound, "no_key", "there is no key \(id)") }

  /// Whether there is a good key of a role.
  func has(_ role: AccessKey.Role, at now: Int64) -> Bool {
    state.withLockedValue { $0.keys.contains { $0.role == role && $0.isGood(at: now) } }
  }

  /// Under whose name the data of an app is kept.
  func owner(of bundle: String?) -> DataOwner {
    .app(bundle, among: apps)
  }

  /// The apps that are projects.
  var apps: Set<String> { state.withLockedValue { $0.apps } }

  // MARK: For operators

  func list() async throws -> (projects: [Project], keys: [AccessKey]) {
    let (projects, keys) = try await pool.read { database in
      let projects = try Row.fetchAll(
        database,
        sql: """
          SELECT id, name, project.bundleId, createdAt,
            (SELECT COUNT(*) FROM session WHERE session.bundleId = project.bundleId),
            (SELECT MAX(received) FROM session WHERE session.bundleId = project.bundleId), tracker
          FROM project ORDER BY name, id
          """
      ).map {
        Project(
          id: $0[0], name: $0[1], bundleId: $0[2], createdAt: $0[3], sessions: $0[4], received: $0[5],
          tracker: $0[6])
      }
      return (projects, try ProjectTables.keys(in: database))
    }
    return (projects, keys)
  }

  func createProject(name: String, bundleId: String, by author: String, at now: Int64) async throws -> Int64 {
    let (id, known) = try await pool.write { database in
      let (count, known) = (
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM project") ?? 0,
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM project WHERE bundleId = ?)", arguments: [bundleId]) ?? false
      )
      guard !known else {
        throw APIError(.conflict, "exists", "there is a project for \(bundleId) already")
      }
      guard count < Self.maximumProjects else {
        throw APIError(.conflict, "too_many", "the limit of \(count) projects is reached")
      }
      try database.execute(
        sql: "INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES (?, ?, ?, ?)",
        arguments: [name, bundleId, now, author])
      return (database.lastInsertedRowID, try ProjectTables.known(in: database))
    }
    remember(known)
    return id
  }

  func rename(project: Int64, to name: String) async throws {
    try await change("project", "there is no project \(project)") {
      try $0.execute(sql: "UPDATE project SET name = ? WHERE id = ?", arguments: [name, project])
    }
  }

  func setTracker(of project: Int64, to tracker: String?) async throws {
    try await change("project", "there is no project \(project)") {
      try $0.execute(sql: "UPDATE project SET tracker = ? WHERE id = ?", arguments: [tracker, project])
    }
  }

  /// Removes a project and ends its keys. What it has recorded stays.
  func remove(project: Int64, at now: Int64) async throws {
    try await change("project", "there is no project \(project)") {
      try $0.execute(
        sql: "UPDATE project_key SET endsAt = MIN(IFNULL(endsAt, ?1), ?1) WHERE project = ?2",
        arguments: [now, project])
      try $0.execute(sql: "DELETE FROM project WHERE id = ?", arguments: [project])
    }
  }

  /// - Returns: its number and the key itself, which is known at this moment only.
  func createKey(
    project: Int64?, name: String, role: AccessKey.Role, by author: String, at now: Int64
  ) async throws -> (id: Int64, secret: String) {
    let key = NewKey(project: project, name: name, role: role)
    let (id, known) = try await pool.write { database in
      if let project {
        let exists = try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM project WHERE id = ?)", arguments: [project])
        guard exists == true else { throw APIError(.notFound, "no_project", "there is no project \(project)") }
      }
      let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM project_key") ?? 0
      guard count < Self.maximumKeys else {
        throw APIError(.conflict, "too_many", "the limit of \(count) keys is reached")
      }
      return (try ProjectTables.insert(key, by: author, at: now, in: database), try ProjectTables.known(in: database))
    }
    remember(known)
    logger.notice("a key was made", metadata: ["key": "\(id)", "role": "\(role.rawValue)", "by": "\(author)"])
    return (id, key.secret)
  }

  func rename(key: Int64, to name: String) async throws {
    try await change("key", "there is no key \(key)") {
      try $0.execute(sql: "UPDATE project_key SET name = ? WHERE id = ?", arguments: [name, key])
    }
  }

  /// Ends a key, at once or later.
  func end(key: Int64, at end: Int64, by author: String) async throws {
    try await change("key", "there is no key \(key)") {
      try $0.execute(
        sql: "UPDATE project_key SET endsAt = MIN(IFNULL(endsAt, ?1), ?1) WHERE id = ?2", arguments: [end, key])
    }
    logger.notice("a key was ended", metadata: ["key": "\(key)", "by": "\(author)"])
  }

  /// A new key of the same name, and an end for the old one.
  func rotate(
    key id: Int64, graceMilliseconds: Int64, by author: String, at now: Int64
  ) async throws -> (id: Int64, secret: String) {
    let old = state.withLockedValue { $0.keys.first { $0.id == id } }
    guard let old, old.isGood(at: now) else {
      throw APIError(.notFound, "no_key", "there is no key \(id) that is still valid")
    }
    let new = try await createKey(project: old.project, name: old.name, role: old.role, by: author, at: now)
    try await end(key: id, at: now + graceMilliseconds, by: author)
    return new
  }

  private func change(
    _ what: String, _ missing: String, _ body: @escaping @Sendable (Database) throws -> Void
  ) async throws {
    let known = try await pool.write { database in
      try body(database)
      guard database.changesCount > 0 else { throw APIError(.notFound, "no_\(what)", missing) }
      return try ProjectTables.known(in: database)
    }
    remember(known)
  }

  private func remember(_ known: ProjectTables.Known) {
    state.withLockedValue { state in
      state.keys = known.keys
      state.byHash = Dictionary(known.keys.map { ($0.hash, $0) }) { _, last in last }
      state.bundles = known.bundles
      state.apps = Set(known.bundles.values)
    }
  }
}
