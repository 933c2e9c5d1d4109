import Foundation
import GRDB

/// Messages that are to be sent, each under a name of its own, and what came of them.
struct AlertOutbox: Sendable {
  struct Message: Sendable {
    var id: Int64
    var name: String
    var channel: Int64
    var attempts: Int
    /// When it was decided.
    var at: Int64
    var alert: Alert
  }

  let store: EventStore

  /// After so many seconds it is tried again; after the last one not any more: about a day in all.
  static let pauses: [Double] = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]
  /// That wait for one channel.
  static let most = 500
  /// Rows of the log that are kept.
  static let logged = 5000

  /// Writes down what is told, and what is held back, inside a transaction of the caller's.
  ///
  /// - Parameter held: why nothing is sent; nil: it is sent to these channels.
  @discardableResult
  static func add(
    _ alert: Alert, to channels: [Int64], held: String?, at now: Int64, in database: Database
  ) throws -> Int64 {
    try database.cachedStatement(
      sql: "INSERT INTO alert_log(rule, at, event, subject, alert, held) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [alert.rule, now, alert.event.rawValue, alert.subject, alert.json, held])
    let log = database.lastInsertedRowID
    guard held == nil else { return log }
    for channel in channels {
      let waiting = try Int.fetchOne(
        database.cachedStatement(
          sql: "SELECT COUNT(*) FROM alert_message INDEXED BY alert_message_due WHERE state = 'waiting' AND channel = ?"
        ),
        arguments: [channel])
      let isFull = waiting ?? 0 >= most
      try database.cachedStatement(
        sql: """
          INSERT INTO alert_message(name, log, channel, state, due, reason, changedAt) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?5)
          """
      ).execute(arguments: [
        "msg_" + UUID().uuidString.lowercased().replacing("-", with: ""), log, channel, isFull ? "failed" : "waiting",
        now,
        isFull ? "\(most) messages were waiting for this channel already" : nil,
      ])
    }
    return log
  }

  /// Older rows go; what still waits stays.
  static func forget(in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM alert_log WHERE id <= (SELECT MAX(id) FROM alert_log) - ?
          AND NOT EXISTS (SELECT 1 FROM alert_message WHERE log = alert_log.id AND state = 'waiting')
        """, arguments: [logged])
    guard database.changesCount > 0 else { return }
    try database.execute(sql: "DELETE FROM alert_message WHERE log NOT IN (SELECT id FROM alert_log)")
  }

  /// Notes down what came of an attempt.
  func note(_ outcome: AlertCourier.Outcome, of message: Message, at now: Int64) async throws {
    try await store.pool.write { database in
      let attempts = message.attempts + 1
      switch outcome {
      case .sent(let status):
        try Self.set(message.id, "sent", attempts, due: now, status, reason: nil, now, database)
        // It takes messages again: what it refused before need not wait for hours. One only, which calls the next one, and
        // that with the fewest attempts: a receiver that takes one a minute must not use up all of them.
        try database.execute(
          sql: """
            UPDATE alert_message SET due = ?1 WHERE id = (SELECT id FROM alert_message
              WHERE channel = ?2 AND state = 'waiting' AND attempts > 0 AND due > ?1 ORDER BY attempts, id LIMIT 1)
            """, arguments: [now + 1000, message.channel])
      case .failed(let reason, let status):
        try Self.set(message.id, "failed", attempts, due: now, status, reason: reason, now, database)
      case .later(let reason, let status, let after):
        guard attempts <= Self.pauses.count else {
          let whole = "given up after \(attempts) attempts: \(reason)"
          return try Self.set(message.id, "failed", attempts, due: now, status, reason: whole, now, database)
        }
        // Not all at the same moment, when a receiver comes back.
        let pause = max(Self.pauses[attempts - 1] * Double.random(in: 1...1.2), after ?? 0)
        let due = now + Int64(pause * 1000)
        try Self.set(message.id, "waiting", attempts, due: due, status, reason: reason, now, database)
        // Who asks to be left alone is left alone with everything.
        if after != nil {
          try database.execute(
            sql: "UPDATE alert_message SET due = ?1 WHERE channel = ?2 AND state = 'waiting' AND due < ?1",
            arguments: [due, message.channel])
        }
      }
    }
  }

  /// What cannot be read cannot be sent: it must not keep others waiting.
  func setAside(_ messages: [Int64], at now: Int64) async throws {
    try await store.pool.write { database in
      for id in messages {
        try database.execute(
          sql: """
            UPDATE alert_message SET state = 'failed', reason = 'what is to be told cannot be read', changedAt = ?2
            WHERE id = ?1 AND state = 'waiting'
            """, arguments: [id, now])
      }
    }
  }

  /// That it was sent is noted down also when the channel has been removed meanwhile.
  private static func set(
    _ id: Int64, _ state: String, _ attempts: Int, due: Int64, _ status: Int?, reason: String?, _ now: Int64,
    _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE alert_message SET state = ?2, attempts = ?3, due = ?4, status = ?5, reason = ?6, changedAt = ?7
        WHERE id = ?1 AND (state = 'waiting' OR ?2 = 'sent')
        """, arguments: [id, state, attempts, due, status, reason, now])
  }
}
