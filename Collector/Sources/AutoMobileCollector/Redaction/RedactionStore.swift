import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// The rules of all projects. Kept in the database, asked from memory; how often each took something out is counted in memory and
/// written down some at a time.
final class RedactionStore: Sendable {
  static let sql = """
    CREATE TABLE redaction(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- A bundle id; '*': of all projects.
      project TEXT NOT NULL,
      -- pattern or field; and its name.
      kind TEXT NOT NULL, value TEXT NOT NULL,
      createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL, redacted INTEGER NOT NULL DEFAULT 0,
      UNIQUE (project, kind, value));
    """

  /// Of one project.
  static let most = 200
  private static let all = "*"

  private struct State: Sendable {
    /// By bundle id; those of all projects are in each.
    var rules: [String: RedactionRules] = [:]
    var ofAll = RedactionRules()
    /// Not written down yet.
    var counts: RedactionCounts = [:]
  }

  private let pool: DatabasePool
  private let maximumDepth: Int
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  init(pool: DatabasePool, maximumDepth: Int, logger: Logger) throws {
    (self.pool, self.maximumDepth, self.logger) = (pool, maximumDepth, logger)
    remember(try pool.read { try Self.rules(in: $0) })
  }

  // MARK: For what comes in

  /// The rules for what an owner brings; nil when there are none. What is opened from a file is nobody's project: those of all
  /// projects hold for it.
  func rules(for owner: DataOwner) -> RedactionRules? {
    let rules = state.withLockedValue { state in
      owner.bundleId.flatMap { state.rules[$0] } ?? state.ofAll
    }
    return rules.isEmpty ? nil : rules
  }

  /// A batch as it may be written.
  func redact(_ batch: CheckedBatch, of owner: DataOwner) -> CheckedBatch {
    guard let rules = rules(for: owner) else { return batch }
    var counts: RedactionCounts = [:]
    let redacted = batch.redacted(by: rules, maximumDepth: maximumDepth, &counts)
    note(counts)
    return redacted
  }

  /// A text, or JSON, as it may be written.
  func redact(_ text: String, of owner: DataOwner) -> String {
    guard let rules = rules(for: owner) else { return text }
    var counts: RedactionCounts = [:]
    let redacted = Self.redact(text, by: rules, maximumDepth, &counts)
    note(counts)
    return redacted
  }

  private static func redact(
    _ text: String, by rules: RedactionRules, _ maximumDepth: Int, _ counts: inout RedactionCounts
  ) -> String {
    let bytes = Array(text.utf8)
    let redacted = bytes.withUnsafeBytes {
      JSONRedactor.redact($0, by: rules, maximumDepth: maximumDepth, &counts)
    }
    return redacted.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private func note(_ counts: RedactionCounts) {
    guard !counts.isEmpty else { return }
    state.withLockedValue { $0.counts.merge(counts, uniquingKeysWith: +) }
  }

  /// What the rules of a project, and others beside them, take out of a text; nothing is counted.
  func tried(_ text: String, project: String?, beside others: [RedactionRule.What]) -> (text: String, count: Int64) {
    var rules = rules(for: .app(project)) ?? RedactionRules()
    for (index, what) in others.enumerated() {
      rules.add(
        RedactionRule(id: Int64(-1 - index), project: nil, what: what, createdAt: 0, createdBy: "", redacted: 0))
    }
    var counts: RedactionCounts = [:]
    let redacted = Self.redact(text, by: rules, maximumDepth, &counts)
    return (redacted, counts.values.reduce(0, +))
  }

  // MARK: For operators

  func list() async throws -> [RedactionRule] {
    try await pool.write { [self] database in
      try keepCounts(in: database)
      return try Self.rules(in: database)
    }
  }

  /// - Throws: ``APIError`` when there are too many. The same again is no error.
  func add(_ what: RedactionRule.What, project: String?, by author: String, at now: Int64) async throws -> Int64 {
    let (id, rules) = try await pool.write { database in
      let place = project ?? Self.all
      let count = try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM redaction WHERE project = ?", arguments: [place])
      guard count ?? 0 < Self.most else {
        throw APIError(.conflict, "too_many", "at most \(Self.most) rules for one project")
      }
      try database.execute(
        sql: """
          INSERT INTO redaction(project, kind, value, createdAt, createdBy) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
          """, arguments: [place, what.kind, what.value, now, author])
      let id = try Int64.fetchOne(
        database, sql: "SELECT id FROM redaction WHERE project = ? AND kind = ? AND value = ?",
        arguments: [place, what.kind, what.value])
      return (id ?? 0, try Self.rules(in: database))
    }
    remember(rules)
    return id
  }

  func rule(_ id: Int64) async throws -> RedactionRule? {
    try await pool.read { try Self.rules(in: $0) }.first { $0.id == id }
  }

  func remove(_ id: Int64) async throws {
    remember(
      try await pool.write { database in
        try database.execute(sql: "DELETE FROM redaction WHERE id = ?", arguments: [id])
        return try Self.rules(in: database)
      })
  }

  /// Writes down what was counted.
  func close() {
    do {
      try pool.write { try keepCounts(in: $0) }
    } catch {
      logger.error("what was redacted could not be written down", metadata: ["error": "\(error)"])
    }
  }

  private func keepCounts(in database: Database) throws {
    let counts = state.withLockedValue { state in
      defer { state.counts = [:] }
      return state.counts
    }
    for (id, count) in counts {
      try database.execute(sql: "UPDATE redaction SET redacted = redacted + ? WHERE id = ?", arguments: [count, id])
    }
  }

  private static func rules(in database: Database) throws -> [RedactionRule] {
    try Row.fetchAll(
      database,
      sql:
        "SELECT id, project, kind, value, createdAt, createdBy, redacted FROM redaction ORDER BY project, kind, value"
    ).compactMap { row in
      guard let what = RedactionRule.What(kind: row[2], value: row[3]) else { return nil }
      let project: String = row[1]
      return RedactionRule(
        id: row[0], project: project == all ? nil : project, what: what, createdAt: row[4], createdBy: row[5],
        redacted: row[6])
    }
  }

  private func remember(_ rules: [RedactionRule]) {
    var ofAll = RedactionRules()
    for rule in rules where rule.project == nil { ofAll.add(rule) }
    var byProject: [String: RedactionRules] = [:]
    for rule in rules {
      guard let project = rule.project else { continue }
      byProject[project, default: ofAll].add(rule)
    }
    state.withLockedValue { ($0.rules, $0.ofAll) = (byProject, ofAll) }
  }
}
