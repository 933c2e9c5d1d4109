import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// The rules of all projects. Kept in the state, asked from memory; how often each took something out is counted in memory and
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

  /// What is in memory.
  private struct Known: Sendable {
    /// By bundle id; those of all projects are in each.
    var rules: [String: RedactionRules] = [:]
    var ofAll = RedactionRules()

    init(_ rules: [RedactionRule]) {
      for rule in rules where rule.project == nil { ofAll.add(rule) }
      for rule in rules {
        guard let project = rule.project else { continue }
        self.rules[project, default: ofAll].add(rule)
      }
    }
  }

  private let state: any StateStore
  private let maximumDepth: Int
  private let logger: Logger
  private let memory: StateMemory<Known>
  /// Not written down yet.
  private let counts = NIOLockedValueBox<RedactionCounts>([:])

  init(_ state: any StateStore, maximumDepth: Int, logger: Logger) throws {
    (self.state, self.maximumDepth, self.logger) = (state, maximumDepth, logger)
    memory = try StateMemory(of: [.redaction], in: state, logger: logger) { Known(try Self.rules(in: $0)) }
  }

  // MARK: For what comes in

  /// The rules for what an owner brings; nil when there are none. What is opened from a file is nobody's project: those of all
  /// projects hold for it.
  func rules(for owner: DataOwner) -> RedactionRules? {
    let rules = memory.with { known in owner.bundleId.flatMap { known.rules[$0] } ?? known.ofAll }
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
    self.counts.withLockedValue { $0.merge(counts, uniquingKeysWith: +) }
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
    let counts = takeCounts()
    guard !counts.isEmpty else { return try await state.read { try Self.rules(in: $0) } }
    do {
      return try await state.write { state in
        try Self.add(counts, in: state)
        return try Self.rules(in: state.reading)
      }
    } catch {
      // What may have been counted is not counted again.
      if (error as? StateError)?.kind != .unknown { note(counts) }
      throw error
    }
  }

  /// - Throws: ``APIError`` when there are too many. The same again is no error.
  func add(_ what: RedactionRule.What, project: String?, by author: String, at now: Int64) async throws -> Int64 {
    try await write { state in
      let place = project ?? Self.all
      let count: Int = try state.value("SELECT COUNT(*) FROM redaction WHERE project = ?1", place) ?? 0
      guard count < Self.most else {
        throw APIError(.conflict, "too_many", "at most \(Self.most) rules for one project")
      }
      try state.execute(
        """
        INSERT INTO redaction(project, kind, value, createdAt, createdBy) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (project, kind, value) DO NOTHING
        """, place, what.kind, what.value, now, author)
      return try state.value(
        "SELECT id FROM redaction WHERE project = ?1 AND kind = ?2 AND value = ?3", place, what.kind, what.value) ?? 0
    }
  }

  func rule(_ id: Int64) async throws -> RedactionRule? {
    try await state.read { try Self.rules(in: $0) }.first { $0.id == id }
  }

  func remove(_ id: Int64) async throws {
    try await write { _ = try $0.execute("DELETE FROM redaction WHERE id = ?1", id) }
  }

  /// Writes down what was counted.
  func close() {
    let counts = takeCounts()
    guard !counts.isEmpty else { return }
    do {
      try state.writeNow { try Self.add(counts, in: $0) }
    } catch {
      logger.error("what was redacted could not be written down", metadata: ["error": "\(error)"])
    }
  }

  /// Writes, tells, and knows what is there now.
  private func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Result
  ) async throws -> Result {
    try await memory.write { state in
      let result = try body(state)
      try state.tell(.redaction)
      return (result, Known(try Self.rules(in: state.reading)))
    } then: { known, written in
      known = written.1
    }.0
  }

  private func takeCounts() -> RedactionCounts {
    counts.withLockedValue { counts in
      defer { counts = [:] }
      return counts
    }
  }

  private static func add(_ counts: RedactionCounts, in state: borrowing StateWriting) throws {
    // In one order, whoever adds: so nobody waits for somebody who waits for them.
    for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
      try state.execute("UPDATE redaction SET redacted = redacted + ?1 WHERE id = ?2", count, id)
    }
  }

  private static func rules(in state: borrowing StateReading) throws -> [RedactionRule] {
    try state.rows(
      "SELECT id, project, kind, value, createdAt, createdBy, redacted FROM redaction ORDER BY project, kind, value"
    ).compactMap { row in
      guard let what = RedactionRule.What(kind: try row[2], value: try row[3]) else { return nil }
      let project: String = try row[1]
      return try RedactionRule(
        id: row[0], project: project == all ? nil : project, what: what, createdAt: row[4], createdBy: row[5],
        redacted: row[6])
    }
  }
}
