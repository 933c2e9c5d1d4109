import AutoMobileState
import Foundation

/// Rules and channels, as operators set them.
struct AlertStore: Sendable {
  let state: any StateStore
  /// Where a new rule of a kind begins in what was recorded; of ``AlertRule/Kind/ask`` the state knows.
  let newest: @Sendable (AlertRule.Kind) async throws -> Int64

  // MARK: Rules

  private static let selectRule: StateSQL = """
    SELECT id, name, kind, settings, cursor, since, held, changedAt, changedBy FROM alert_rule
    """

  static func rules(in state: borrowing StateReading) throws -> [AlertRule] {
    try state.rows("\(selectRule) ORDER BY id").compactMap(rule)
  }

  static func rule(_ id: Int64, in state: borrowing StateReading) throws -> AlertRule? {
    try state.row("\(selectRule) WHERE id = ?1", id).flatMap(rule)
  }

  /// Nil: a newer collector kept it.
  private static func rule(_ row: StateRow) throws -> AlertRule? {
    let text: String = try row[3]
    guard let kind = AlertRule.Kind(rawValue: try row[2]),
      let settings = try? JSONDecoder().decode(AlertRule.Settings.self, from: Data(text.utf8))
    else { return nil }
    return try AlertRule(
      id: row[0], name: row[1], kind: kind, settings: settings, cursor: row[4], since: row[5], held: row[6],
      changedAt: row[7], changedBy: row[8])
  }

  /// Adds a rule, or changes one. It looks from now on: a rule that was off, or was about another app, has no past.
  ///
  /// - Parameter change: of the rule that there is; nil: a new one.
  /// - Throws: ``APIError``.
  func save(_ body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64) async throws -> Int64 {
    let known = try await state.read { state in try Self.known(id, in: state) }
    // Before it is kept, since what it looks at may lie elsewhere: what comes between the two is told, and nothing is left out.
    let newest = try await newest(AlertRule(body, kind: known?.kind).kind)
    return try await state.write { state in
      let before = try Self.known(id, in: state.reading)
      var rule = try AlertRule(body, kind: before?.kind)
      let channels = Set(try state.rows("SELECT id FROM alert_channel").map { try $0[0] as Int64 })
      guard rule.settings.channels.allSatisfy(channels.contains) else {
        throw APIError.badRequest("invalid_channels", "channels names one that does not exist")
      }
      try Self.checkName(rule.name, in: "alert_rule", except: id, state)
      (rule.cursor, rule.since) = (before?.cursor ?? 0, before?.since ?? 0)
      if before == nil || before?.settings.looks != rule.settings.looks {
        rule.cursor = try AlertLook.newestChange(of: rule.kind, in: state.reading) ?? newest
        rule.since = now
        if let before {
          let reason = rule.settings.enabled ? "The rule was changed." : "The rule was turned off."
          try AlertEnd.tellAll(of: before, because: reason, at: now, in: state)
          try state.execute("DELETE FROM alert_state WHERE rule = ?1", before.id)
        }
      }
      let saved = try Self.write(rule, change: id, by: author, at: now, in: state)
      try state.tell(.alerts, "\(saved)")
      return saved
    }
  }

  private static func known(_ id: Int64?, in state: borrowing StateReading) throws -> AlertRule? {
    guard let id else { return nil }
    guard let rule = try rule(id, in: state) else { throw noRule }
    return rule
  }

  private static func write(
    _ rule: AlertRule, change id: Int64?, by author: String, at now: Int64, in state: borrowing StateWriting
  ) throws -> Int64 {
    let settings = String(decoding: try JSONEncoder().encode(rule.settings), as: UTF8.self)
    if let id {
      try state.execute(
        """
        UPDATE alert_rule SET name = ?2, settings = ?3, cursor = ?4, since = ?5, changedAt = ?6, changedBy = ?7
        WHERE id = ?1
        """, id, rule.name, settings, rule.cursor, rule.since, now, author)
      return id
    }
    guard try state.value("SELECT COUNT(*) FROM alert_rule") ?? 0 < AlertRule.most else {
      throw APIError(.conflict, "too_many", "there are \(AlertRule.most) rules, which is the limit")
    }
    return try state.value(
      """
      INSERT INTO alert_rule(name, kind, settings, cursor, since, changedAt, changedBy)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id
      """, rule.name, rule.kind.rawValue, settings, rule.cursor, rule.since, now, author) ?? 0
  }

  func removeRule(_ id: Int64, at now: Int64) async throws {
    try await state.write { state in
      if let rule = try Self.rule(id, in: state.reading) {
        try AlertEnd.tellAll(of: rule, because: "The rule was removed.", at: now, in: state)
      }
      guard try state.execute("DELETE FROM alert_rule WHERE id = ?1", id) > 0 else { throw Self.noRule }
      try state.execute("DELETE FROM alert_state WHERE rule = ?1", id)
      try state.tell(.alerts, "\(id)")
    }
  }

  static let noRule = APIError(.notFound, "no_rule", "there is no such alert rule")
  static let noChannel = APIError(.notFound, "no_channel", "there is no such alert channel")

  // MARK: Channels

  private static let selectChannel: StateSQL =
    "SELECT id, name, kind, settings, changedAt, changedBy FROM alert_channel"

  static func channels(in state: borrowing StateReading) throws -> [AlertChannel] {
    try state.rows("\(selectChannel) ORDER BY id").compactMap(channel)
  }

  static func channel(_ id: Int64, in state: borrowing StateReading) throws -> AlertChannel? {
    try state.row("\(selectChannel) WHERE id = ?1", id).flatMap(channel)
  }

  /// Nil: a newer collector kept it.
  private static func channel(_ row: StateRow) throws -> AlertChannel? {
    let text: String = try row[3]
    guard let kind = AlertChannel.Kind(rawValue: try row[2]),
      let settings = try? JSONDecoder().decode(AlertChannel.Settings.self, from: Data(text.utf8))
    else { return nil }
    return try AlertChannel(
      id: row[0], name: row[1], kind: kind, settings: settings, changedAt: row[4], changedBy: row[5])
  }

  /// Adds a channel, or changes one: of a secret that is not given the known one stays.
  ///
  /// - Returns: it, with the secret that was made for it, if one was.
  /// - Throws: ``APIError``.
  func save(
    channel body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64
  ) async throws -> (channel: AlertChannel, madeSecret: String?) {
    try await state.write { state in
      let before: AlertChannel? = if let id { try Self.channel(id, in: state.reading) } else { nil }
      guard before != nil || id == nil else { throw Self.noChannel }
      var (channel, secret) = try AlertChannel.read(body, before: before)
      try Self.checkName(channel.name, in: "alert_channel", except: id, state)
      let settings = String(decoding: try JSONEncoder().encode(channel.settings), as: UTF8.self)
      if let id {
        channel.id = id
        try state.execute(
          "UPDATE alert_channel SET name = ?2, settings = ?3, changedAt = ?4, changedBy = ?5 WHERE id = ?1", id,
          channel.name, settings, now, author)
        // Whoever mends a channel wants to see what waits for it.
        try state.execute(
          "UPDATE alert_message SET due = ?1, changedAt = ?1 WHERE channel = ?2 AND state = 'waiting'", now, id)
      } else {
        guard try state.value("SELECT COUNT(*) FROM alert_channel") ?? 0 < AlertChannel.most else {
          throw APIError(.conflict, "too_many", "there are \(AlertChannel.most) channels, which is the limit")
        }
        channel.id =
          try state.value(
            """
            INSERT INTO alert_channel(name, kind, settings, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5)
            RETURNING id
            """, channel.name, channel.kind.rawValue, settings, now, author) ?? 0
      }
      (channel.changedAt, channel.changedBy) = (now, author)
      try state.tell(.alerts, AlertOutbox.news)
      return (channel, secret)
    }
  }

  /// What waits for it is not sent any more.
  func removeChannel(_ id: Int64, at now: Int64) async throws {
    try await state.write { state in
      guard try state.execute("DELETE FROM alert_channel WHERE id = ?1", id) > 0 else { throw Self.noChannel }
      try state.execute(
        """
        UPDATE alert_message SET state = 'failed', reason = 'the channel was removed', changedAt = ?1
        WHERE channel = ?2 AND state = 'waiting'
        """, now, id)
      for var rule in try Self.rules(in: state.reading) where rule.settings.channels.contains(id) {
        rule.settings.channels.removeAll { $0 == id }
        let settings = String(decoding: try JSONEncoder().encode(rule.settings), as: UTF8.self)
        try state.execute("UPDATE alert_rule SET settings = ?1 WHERE id = ?2", settings, rule.id)
      }
    }
  }

  private static func checkName(
    _ name: String, in table: StateSQL, except id: Int64?, _ state: borrowing StateWriting
  ) throws {
    let other = try state.row("SELECT id FROM \(table) WHERE name = ?1 AND id <> ?2", name, id ?? 0)
    guard other == nil else { throw APIError(.conflict, "name_taken", "another one is called “\(name)”") }
  }
}

extension AlertRule.Settings {
  /// What it looks at: a change of anything else is no reason to begin anew.
  fileprivate var looks: AlertRule.Settings {
    var looks = self
    (looks.quietMinutes, looks.resolved, looks.channels) = (0, true, [])
    return looks
  }
}
