import Foundation
import GRDB

/// How far a lane has come, and what became of its records: written after each acknowledgement.
struct ForwardLedger: Sendable {
  let store: EventStore
  let forwarder: Int64
  let signal: ForwardSignal

  struct Entry: Sendable, Equatable {
    var cursor: Int64 = 0
    var sent: Int64 = 0
    var rejected: Int64 = 0
    var expired: Int64 = 0
    var passedOver: Int64 = 0
    var lastSent: Int64?
    var refusal: String?
    var refusedAt: Int64?
  }

  // MARK: Reading

  static func entries(in database: Database) throws -> [ForwardLaneName: Entry] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT forwarder, signal, cursor, sent, rejected, expired, passedOver, lastSent, refusal, refusedAt
        FROM forwarder_lane
        """)
    return Dictionary(
      rows.compactMap { row -> (ForwardLaneName, Entry)? in
        guard let signal = ForwardSignal(rawValue: row[1]) else { return nil }
        return (
          ForwardLaneName(forwarder: row[0], signal: signal),
          Entry(
            cursor: row[2], sent: row[3], rejected: row[4], expired: row[5], passedOver: row[6], lastSent: row[7],
            refusal: row[8], refusedAt: row[9])
        )
      }
    ) { $1 }
  }

  /// The highest id that an event has, or had.
  static func newest(in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT MAX(IFNULL((SELECT MAX(id) FROM event), 0), IFNULL((SELECT floor FROM event_floor), 0))")) ?? 0
  }

  // MARK: Writing

  /// What was sent is settled. One short transaction; ``cursor`` never goes back.
  ///
  /// - Parameters:
  ///   - sent: that the receiver took.
  ///   - rejected: that it did not take, for the reason.
  func settle(upTo cursor: Int64, sent: Int = 0, rejected: Int = 0, reason: String? = nil, at now: Int64) async throws {
    try await store.pool.write { [forwarder, signal] database in
      try database.cachedStatement(
        sql: """
          UPDATE forwarder_lane SET cursor = MAX(cursor, ?3), sent = sent + ?4, rejected = rejected + ?5,
            lastSent = CASE WHEN ?4 > 0 THEN ?7 ELSE lastSent END,
            refusal = IFNULL(?6, refusal), refusedAt = CASE WHEN ?6 IS NULL THEN refusedAt ELSE ?7 END
          WHERE forwarder = ?1 AND signal = ?2
          """
      ).execute(arguments: [forwarder, signal.rawValue, cursor, sent, rejected, reason, now])
    }
  }

  /// Too much waited: what is older is left out.
  func passOver(upTo cursor: Int64, count: Int) async throws {
    try await store.pool.write { [forwarder, signal] database in
      try database.cachedStatement(
        sql: """
          UPDATE forwarder_lane SET cursor = MAX(cursor, ?3), passedOver = passedOver + ?4
          WHERE forwarder = ?1 AND signal = ?2
          """
      ).execute(arguments: [forwarder, signal.rawValue, cursor, count])
    }
  }

  // MARK: What is deleted

  /// An event that the retention policy deletes.
  struct Expiring {
    var id: Int64
    var type: String
    var severity: Int64
  }

  /// Counts what is deleted before it was sent, in the transaction that deletes it.
  static func note(expiring events: [Expiring], of session: Int64, in database: Database) throws {
    guard let highest = events.map(\.id).max() else { return }
    let behind = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT forwarder, signal, cursor, settings FROM forwarder_lane JOIN forwarder ON forwarder.id = forwarder
          WHERE cursor < ?
          """), arguments: [highest])
    guard !behind.isEmpty else { return }
    var names = ForwardNames(database)
    let known = try names.session(session)
    guard !known.isImported else { return }
    for row in behind {
      let cursor: Int64 = row[2]
      guard let signal = ForwardSignal(rawValue: row[1]),
        let settings = try? JSONDecoder().decode(Forwarder.Settings.self, from: Data((row[3] as String).utf8))
      else { continue }
      let filter = ForwardFilter(settings, signal)
      guard filter.bundleId == nil || filter.bundleId == known.bundleId else { continue }
      let count = events.count { $0.id > cursor && $0.severity >= filter.level && filter.wants(type: $0.type) }
      guard count > 0 else { continue }
      try database.cachedStatement(
        sql: "UPDATE forwarder_lane SET expired = expired + ? WHERE forwarder = ? AND signal = ?"
      ).execute(arguments: [count, row[0] as Int64, signal.rawValue])
    }
  }
}

/// One signal of one forwarder.
struct ForwardLaneName: Hashable, Sendable {
  var forwarder: Int64
  var signal: ForwardSignal
}
