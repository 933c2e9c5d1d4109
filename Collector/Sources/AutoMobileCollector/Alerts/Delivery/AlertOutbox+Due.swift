import AutoMobileState

/// What is to be sent next.
extension AlertOutbox {
  struct Due: Sendable {
    /// One of a channel at most.
    var messages: [Message] = []
    /// Those of which nothing can be read.
    var unreadable: [Int64] = []
    /// When there is more, if nothing happens before.
    var next: Int64?
  }

  /// The oldest that is due, of each channel that is free.
  ///
  /// What a channel refuses waits, and others of that channel go on: its receiver may have something against that one. Not those
  /// about the same thing: an end that overtakes its beginning would leave an incident open for ever.
  ///
  /// - Parameters:
  ///   - busy: channels to which something is under way.
  ///   - resting: channels that asked to be left alone, and until when.
  func due(at now: Int64, except busy: Set<Int64> = [], resting: [Int64: Int64] = [:]) async throws -> Due {
    try await state.read { state in
      var found = Due()
      var taken = busy
      var held: Set<Thread> = []
      for row in try state.rows(Self.waiting) {
        let (id, channel): (Int64, Int64) = try (row[0], row[1])
        guard !taken.contains(channel) else { continue }
        let (due, changedAt, rule, subject): (Int64, Int64, Int64?, String?) = try (row[2], row[3], row[4], row[5])
        let thread = rule.map { Thread(channel: channel, rule: $0, subject: subject ?? "") }
        if let thread, held.contains(thread) { continue }
        // A clock that was set back makes nobody wait longer.
        let time = changedAt > now + 1000 ? now : due
        let when = max(time, resting[channel] ?? 0)
        guard when <= now else {
          found.next = min(found.next ?? when, when)
          if let thread { held.insert(thread) }
          continue
        }
        guard let message = try Self.message(id, to: channel, in: state) else {
          found.unreadable.append(id)
          continue
        }
        taken.insert(channel)
        found.messages.append(message)
      }
      return found
    }
  }

  /// By channel how much waits.
  static func waiting(in state: borrowing StateReading) throws -> [(id: Int64, count: Int64)] {
    try state.rows(
      "SELECT channel, COUNT(*) FROM alert_message WHERE state = 'waiting' GROUP BY channel ORDER BY channel"
    ).map { try ($0[0], $0[1]) }
  }

  private struct Thread: Hashable {
    var channel: Int64
    var rule: Int64
    var subject: String
  }

  private static let waiting: StateSQL = """
    SELECT alert_message.id, channel, due, changedAt, rule, subject FROM alert_message
    LEFT JOIN alert_log ON alert_log.id = alert_message.log WHERE state = 'waiting' ORDER BY alert_message.id
    """

  private static func message(
    _ id: Int64, to channel: Int64, in state: borrowing StateReading
  ) throws -> Message? {
    let row = try state.row(
      """
      SELECT name, attempts, at, alert FROM alert_message JOIN alert_log ON alert_log.id = alert_message.log
      WHERE alert_message.id = ?1
      """, id)
    guard let row, let alert = Alert(json: try row[3]) else { return nil }
    return try Message(id: id, name: row[0], channel: channel, attempts: row[1], at: row[2], alert: alert)
  }
}
