import AutoMobileState
import Foundation

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

  let state: any StateStore

  /// After so many seconds it is tried again; after the last one not any more: about a day in all.
  static let pauses: [Double] = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]
  /// That wait for one channel.
  static let most = 500
  /// Rows of the log that are kept.
  static let logged = 5000
  /// What is told of messages: whoever sends looks again, and no rule has to be.
  static let news = "messages"

  /// Writes down what is told, and what is held back, inside a transaction of the caller's.
  ///
  /// - Parameter held: why nothing is sent; nil: it is sent to these channels.
  @discardableResult
  static func add(
    _ alert: Alert, to channels: [Int64], held: String?, at now: Int64, in state: borrowing StateWriting
  ) throws -> Int64 {
    let log = try log(alert, held: held, at: now, in: state)
    guard held == nil else { return log }
    for channel in channels {
      // Its time lets an index over those that wait be of use.
      let waiting: Int? = try state.value(
        "SELECT COUNT(*) FROM alert_message WHERE state = 'waiting' AND due >= 0 AND channel = ?1", channel)
      let isFull = waiting ?? 0 >= most
      try state.execute(
        """
        INSERT INTO alert_message(name, log, channel, state, due, reason, changedAt) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?5)
        """, name(), log, channel, isFull ? "failed" : "waiting", now,
        isFull ? "\(most) messages were waiting for this channel already" : nil as String?)
    }
    try state.tell(.alerts, news)
    return log
  }

  private static func log(
    _ alert: Alert, held: String?, at now: Int64, in state: borrowing StateWriting
  ) throws -> Int64 {
    try state.value(
      """
      INSERT INTO alert_log(rule, at, event, subject, alert, held) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id
      """, alert.rule, now, alert.event.rawValue, alert.subject.keepable, alert.json, held) ?? 0
  }

  /// By which a receiver knows a message.
  static func name() -> String { "msg_" + UUID().uuidString.lowercased().replacing("-", with: "") }

  /// Writes down a message that has been sent already, and what came of it.
  static func add(
    sent alert: Alert, as name: String, to channel: Int64, _ outcome: AlertCourier.Outcome, at now: Int64,
    in state: borrowing StateWriting
  ) throws {
    let (word, reason, status): (String, String?, Int?) =
      switch outcome {
      case .sent(let status): ("sent", nil, status)
      case .later(let reason, let status, _), .failed(let reason, let status): ("failed", reason, status)
      }
    try state.execute(
      """
      INSERT INTO alert_message(name, log, channel, state, attempts, due, status, reason, changedAt)
      VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8)
      """, name, try log(alert, held: nil, at: now, in: state), channel, word, now, status,
      reason?.keepable, WallClock.now)
  }

  /// Older rows go; what still waits stays.
  static func forget(in state: borrowing StateWriting) throws {
    let count = try state.execute(
      """
      DELETE FROM alert_log WHERE id <= (SELECT MAX(id) FROM alert_log) - ?1
        AND NOT EXISTS (SELECT 1 FROM alert_message WHERE log = alert_log.id AND state = 'waiting')
      """, logged)
    guard count > 0 else { return }
    try state.execute("DELETE FROM alert_message WHERE log NOT IN (SELECT id FROM alert_log)")
  }

  /// Notes down what came of an attempt.
  func note(_ outcome: AlertCourier.Outcome, of message: Message, at now: Int64) async throws {
    try await state.write { state in
      let attempts = message.attempts + 1
      switch outcome {
      case .sent(let status):
        try Self.set(message.id, "sent", attempts, due: now, status, reason: nil, now, state)
        // It takes messages again: what it refused before need not wait for hours. One only, which calls the next one, and
        // that with the fewest attempts: a receiver that takes one a minute must not use up all of them.
        try state.execute(
          """
          UPDATE alert_message SET due = ?1 WHERE id = (SELECT id FROM alert_message
            WHERE channel = ?2 AND state = 'waiting' AND attempts > 0 AND due > ?1 ORDER BY attempts, id LIMIT 1)
          """, now + 1000, message.channel)
      case .failed(let reason, let status):
        try Self.set(message.id, "failed", attempts, due: now, status, reason: reason, now, state)
      case .later(let reason, let status, let after):
        guard attempts <= Self.pauses.count else {
          let whole = "given up after \(attempts) attempts: \(reason)"
          return try Self.set(message.id, "failed", attempts, due: now, status, reason: whole, now, state)
        }
        // Not all at the same moment, when a receiver comes back.
        let pause = max(Self.pauses[attempts - 1] * Double.random(in: 1...1.2), after ?? 0)
        let due = now + Int64(pause * 1000)
        try Self.set(message.id, "waiting", attempts, due: due, status, reason: reason, now, state)
        // Who asks to be left alone is left alone with everything.
        if after != nil {
          try state.execute(
            "UPDATE alert_message SET due = ?1 WHERE channel = ?2 AND state = 'waiting' AND due < ?1", due,
            message.channel)
        }
      }
    }
  }

  /// What cannot be read cannot be sent: it must not keep others waiting.
  func setAside(_ messages: [Int64], at now: Int64) async throws {
    try await state.write { state in
      for id in messages {
        try state.execute(
          """
          UPDATE alert_message SET state = 'failed', reason = 'what is to be told cannot be read', changedAt = ?2
          WHERE id = ?1 AND state = 'waiting'
          """, id, now)
      }
    }
  }

  /// That it was sent is noted down also when the channel has been removed meanwhile.
  private static func set(
    _ id: Int64, _ word: String, _ attempts: Int, due: Int64, _ status: Int?, reason: String?, _ now: Int64,
    _ state: borrowing StateWriting
  ) throws {
    try state.execute(
      """
      UPDATE alert_message SET state = ?2, attempts = ?3, due = ?4, status = ?5, reason = ?6, changedAt = ?7
      WHERE id = ?1 AND (state = 'waiting' OR ?2 = 'sent')
      """, id, word, attempts, due, status, reason?.keepable, now)
  }
}
