import Foundation
import GRDB
import NIOConcurrencyHelpers

/// What operators have set for the whole collector. Kept in the database, answered from memory.
final class SettingStore: Sendable {
  struct Change: Sendable {
    var policy: RetentionPolicy
    var changedAt: Int64?
    var changedBy: String?
  }

  private static let retention = "retention"
  private let pool: DatabasePool
  private let state: NIOLockedValueBox<Change>
  private let onChange = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  init(pool: DatabasePool) throws {
    self.pool = pool
    let row = try pool.read {
      try Row.fetchOne(
        $0, sql: "SELECT value, changedAt, changedBy FROM setting WHERE name = ?", arguments: [Self.retention])
    }
    let policy = row.flatMap { try? JSONDecoder().decode(RetentionPolicy.self, from: Data(($0[0] as String).utf8)) }
    state = NIOLockedValueBox(
      Change(policy: policy ?? .everything, changedAt: row?["changedAt"], changedBy: row?["changedBy"]))
  }

  var retention: Change { state.withLockedValue { $0 } }

  /// Called after each change.
  func onChange(_ body: @escaping @Sendable () -> Void) { onChange.withLockedValue { $0 = body } }

  /// - Throws: ``APIError`` when the policy makes no sense.
  func setRetention(_ policy: RetentionPolicy, by author: String, at now: Int64) async throws {
    try policy.check()
    let text = String(decoding: try JSONEncoder().encode(policy), as: UTF8.self)
    try await pool.write { database in
      try database.execute(
        sql: """
          INSERT INTO setting VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO UPDATE SET value = ?2, changedAt = ?3, changedBy = ?4
          """, arguments: [Self.retention, text, now, author])
    }
    state.withLockedValue { $0 = Change(policy: policy, changedAt: now, changedBy: author) }
    onChange.withLockedValue { $0 }?()
  }
}
