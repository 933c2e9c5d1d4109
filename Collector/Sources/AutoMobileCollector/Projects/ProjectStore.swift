import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Projects (apps) and keys. Kept in the state; keys are checked from memory.
final class ProjectStore: Sendable {
  struct Project: Sendable {
    var id: Int64
    var name: String
    var bundleId: String
    var createdAt: Int64
    /// See ``TrackerTemplate``.
    var tracker: String?
    /// How long its sessions are kept; nil: as long as all others. See ``ProjectRetention``.
    var days: Int?
  }

  static let maximumProjects = 500
  static let maximumKeys = 2000
  /// A key's last use is written down this often at most, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  private let state: any StateStore
  private let logger: Logger
  private let memory: StateMemory<ProjectTables.Known>
  /// Waited for after each change of one's own, before whoever made it is answered.
  private let onChange: @Sendable () async -> Void
  /// When a key's use was last written down.
  private let noted = NIOLockedValueBox<[Int64: Int64]>([:])
  private let onDays = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  init(
    _ state: any StateStore, logger: Logger, onChange: @escaping @Sendable () async -> Void = {}
  ) throws {
    (self.state, self.logger, self.onChange) = (state, logger, onChange)
    memory = try StateMemory(of: [.projects], in: state, logger: logger, load: ProjectTables.known)
    memory.onReload { [weak self] old, new in
      if new.days != old.days { self?.daysChanged() }
    }
  }

  // MARK: Keys, for whoever is at the door

  /// The good key that somebody presents.
  ///
  /// Found by its hash, so the time that it takes says nothing of other keys.
  func key(_ secret: String, at now: Int64) -> AccessKey? {
    guard secret.utf8.count <= 200 else { return nil }
    let hash = Data(SHA256.hash(secret))
    guard let key = memory.with({ $0.byHash[hash] }), key.isGood(at: now) else { return nil }
    let isNoted = noted.withLockedValue { noted in
      guard now - (noted[key.id] ?? 0) >= Self.noteInterval else { return true }
      noted[key.id] = now
      return false
    }
    if !isNoted {
      Task { [state] in
        _ = try? await state.write {
          try $0.execute("UPDATE project_key SET lastUsedAt = ?1 WHERE id = ?2", now, key.id)
        }
      }
    }
    return key
  }

  /// Whether a key that was good still is.
  func isGood(key: Int64, at now: Int64) -> Bool {
    memory.with { $0.keys.contains { $0.id == key && $0.isGood(at: now) } }
  }

  /// A key by its number, also one that has ended.
  func key(_ id: Int64) -> AccessKey? { memory.with { $0.keys.first { $0.id == id } } }

  /// The app of a project; nil when there is none of this number.
  func bundle(of project: Int64) -> String? { memory.with { $0.bundles[project] } }

  static func noKey(_ id: Int64) -> APIError { APIError(.notFound, "no_key", "there is no key \(id)") }
  static func noProject(_ id: Int64) -> APIError { APIError(.notFound, "no_project", "there is no project \(id)") }

  /// Whether there is a good key of a role.
  func has(_ role: AccessKey.Role, at now: Int64) -> Bool {
    memory.with { $0.keys.contains { $0.role == role && $0.isGood(at: now) } }
  }

  /// Under whose name the data of an app is kept.
  func owner(of bundle: String?) -> DataOwner {
    .app(bundle, among: apps)
  }

  /// The apps that are projects.
  var apps: Set<String> { memory.with { $0.apps } }

  /// Of which projects less is kept than a policy says for all.
  func retention(below policy: RetentionPolicy) -> ProjectRetention {
    memory.with { ProjectRetention($0.days, among: $0.apps, below: policy) }
  }

  /// Called when it has changed how long something is kept, here or at another collector.
  func onDays(_ body: @escaping @Sendable () -> Void) { onDays.withLockedValue { $0 = body } }

  private func daysChanged() { onDays.withLockedValue { $0 }?() }

  // MARK: For operators

  func list() async throws -> (projects: [Project], keys: [AccessKey]) {
    try await state.read { (try ProjectTables.projects(in: $0), try ProjectTables.keys(in: $0)) }
  }

  func createProject(name: String, bundleId: String, by author: String, at now: Int64) async throws -> Int64 {
    try await write { state in
      guard try state.row("SELECT id FROM project WHERE bundleId = ?1", bundleId) == nil else {
        throw APIError(.conflict, "exists", "there is a project for \(bundleId) already")
      }
      let count: Int = try state.value("SELECT COUNT(*) FROM project") ?? 0
      guard count < Self.maximumProjects else {
        throw APIError(.conflict, "too_many", "the limit of \(count) projects is reached")
      }
      return try state.value(
        "INSERT INTO project(name, bundleId, createdAt, createdBy) VALUES (?1, ?2, ?3, ?4) RETURNING id", name,
        bundleId, now,
        author) ?? 0
    }
  }

  /// - Parameters:
  ///   - name: nil: it stays.
  ///   - tracker: nothing: it stays; nil: there is none any more.
  func set(project: Int64, name: String?, tracker: String??) async throws {
    try await change(project: project) { state in
      var found = 0
      if let name { found = try state.execute("UPDATE project SET name = ?1 WHERE id = ?2", name, project) }
      if let tracker { found = try state.execute("UPDATE project SET tracker = ?1 WHERE id = ?2", tracker, project) }
      return found
    }
  }

  /// - Parameter days: nil: it is kept as long as everything.
  func set(project: Int64, days: Int?) async throws {
    try await change(project: project) {
      try $0.execute("UPDATE project SET days = ?1 WHERE id = ?2", days.map { Int64($0) }, project)
    }
    daysChanged()
  }

  /// Removes a project and ends its keys. What it has recorded stays.
  func remove(project: Int64, at now: Int64) async throws {
    try await change(project: project) {
      try $0.execute("\(ProjectTables.end) WHERE project = ?2", now, project)
      return try $0.execute("DELETE FROM project WHERE id = ?1", project)
    }
  }

  /// - Returns: its number and the key itself, which is known at this moment only.
  func createKey(
    project: Int64?, name: String, role: AccessKey.Role, by author: String, at now: Int64
  ) async throws -> (id: Int64, secret: String) {
    let key = NewKey(project: project, name: name, role: role)
    let id = try await write { try Self.insert(key, by: author, at: now, in: $0) }
    logger.notice("a key was made", metadata: ["key": "\(id)", "role": "\(role.rawValue)", "by": "\(author)"])
    return (id, key.secret)
  }

  private static func insert(
    _ key: NewKey, by author: String, at now: Int64, in state: borrowing StateWriting
  ) throws -> Int64 {
    if let project = key.project, try state.row("SELECT id FROM project WHERE id = ?1", project) == nil {
      throw noProject(project)
    }
    let count: Int = try state.value("SELECT COUNT(*) FROM project_key") ?? 0
    guard count < maximumKeys else {
      throw APIError(.conflict, "too_many", "the limit of \(count) keys is reached")
    }
    return try ProjectTables.insert(key, by: author, at: now, in: state)
  }

  func rename(key: Int64, to name: String) async throws {
    try await change(key: key) {
      try $0.execute("UPDATE project_key SET name = ?1 WHERE id = ?2", name, key)
    }
  }

  /// Ends a key, at once or later.
  func end(key: Int64, at end: Int64, by author: String) async throws {
    try await change(key: key) {
      try $0.execute("\(ProjectTables.end) WHERE id = ?2", end, key)
    }
    logger.notice("a key was ended", metadata: ["key": "\(key)", "by": "\(author)"])
  }

  /// A new key of the same name, and an end for the old one.
  func rotate(
    key id: Int64, graceMilliseconds: Int64, by author: String, at now: Int64
  ) async throws -> (id: Int64, secret: String) {
    let old = memory.with { $0.keys.first { $0.id == id } }
    guard let old, old.isGood(at: now) else {
      throw APIError(.notFound, "no_key", "there is no key \(id) that is still valid")
    }
    let key = NewKey(project: old.project, name: old.name, role: old.role)
    // Both or none: the new one is shown once.
    let new = try await write { state in
      let new = try Self.insert(key, by: author, at: now, in: state)
      try state.execute("\(ProjectTables.end) WHERE id = ?2", now + graceMilliseconds, id)
      return new
    }
    logger.notice("a key took another one's place", metadata: ["key": "\(new)", "before": "\(id)", "by": "\(author)"])
    return (new, key.secret)
  }

  /// - Parameter body: returns how many there are of what it is to change.
  private func change(
    project: Int64, _ body: @escaping @Sendable (borrowing StateWriting) throws -> Int
  ) async throws {
    try await write { state in
      guard try body(state) > 0 else { throw Self.noProject(project) }
    }
  }

  private func change(key: Int64, _ body: @escaping @Sendable (borrowing StateWriting) throws -> Int) async throws {
    try await write { state in
      guard try body(state) > 0 else { throw Self.noKey(key) }
    }
  }

  /// Writes, tells, and knows what is there now.
  private func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result {
    let result = try await memory.write { state in
      let result = try body(state)
      try state.tell(.projects)
      return (result, try ProjectTables.known(in: state.reading))
    } then: { known, written in
      known = written.1
    }.0
    await onChange()
    return result
  }
}
