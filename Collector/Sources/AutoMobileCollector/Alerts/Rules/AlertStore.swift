import Foundation
import GRDB

/// Rules and channels, as operators set them.
struct AlertStore: Sendable {
  let store: EventStore

  // MARK: Rules

  static func rules(in database: Database) throws -> [AlertRule] {
    try Row.fetchAll(
      database,
      sql: "SELECT id, name, kind, settings, cursor, since, held, changedAt, changedBy FROM alert_rule ORDER BY id"
    ).compactMap(rule)
  }

  static func rule(_ id: Int64, in database: Database) throws -> AlertRule? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT id, name, kind, settings, cursor, since, held, changedAt, changedBy FROM alert_rule WHERE id = ?"),
      arguments: [id]
    ).flatMap(rule)
  }

  private static func rule(_ row: Row) -> AlertRule? {
    guard let kind = AlertRule.Kind(rawValue: row[2]),
      let settings = try? JSONDecoder().decode(AlertRule.Settings.self, from: Data((row[3] as String).utf8))
    else { return nil }
    return AlertRule(
      id: row[0], name: row[1], kind: kind, settings: settings, cursor: row[4], since: row[5], held: row[6],
      changedAt: row[7], changedBy: row[8])
  }

  /// Adds a rule, or changes one. It looks from now on: a rule that was off, or was about another app, has no past.
  ///
  /// - Parameter change: of the rule that there is; nil: a new one.
  /// - Throws: ``APIError``.
  func save(_ body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64) async throws -> Int64 {
    try await store.pool.write { database in
      let before = try id.map { id in
        guard let rule = try Self.rule(id, in: database) else { throw Self.noRule }
        return rule
      }
      var rule = try AlertRule(body, kind: before?.kind)
      let known = try Set(Int64.fetchAll(database, sql: "SELECT id FROM alert_channel"))
      guard rule.settings.channels.allSatisfy(known.contains) else {
        throw APIError.badRequest("invalid_channels", "channels names one that does not exist")
      }
      try Self.checkName(rule.name, in: "alert_rule", except: id, database)
      guard try id != nil || (Int.fetchOne(database, sql: "SELECT COUNT(*) FROM alert_rule") ?? 0) < AlertRule.most
      else {
        throw APIError(.conflict, "too_many", "there are \(AlertRule.most) rules, which is the limit")
      }
      let settings = String(decoding: try JSONEncoder().encode(rule.settings), as: UTF8.self)
      (rule.cursor, rule.since) = (before?.cursor ?? 0, before?.since ?? 0)
      if before == nil || before?.settings.looks != rule.settings.looks {
        rule.cursor = try AlertLook.cursor(of: rule.kind, in: database)
        rule.since = now
        if let before {
          let reason = rule.settings.enabled ? "The rule was changed." : "The rule was turned off."
          try AlertEnd.tellAll(of: before, because: reason, at: now, in: database)
          try database.execute(sql: "DELETE FROM alert_state WHERE rule = ?", arguments: [before.id])
        }
      }
      return try Int64.fetchOne(
        database,
        sql: """
          INSERT INTO alert_rule(id, name, kind, settings, cursor, since, changedAt, changedBy)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
          ON CONFLICT(id) DO UPDATE SET name = ?2, settings = ?4, cursor = ?5, since = ?6, changedAt = ?7, changedBy = ?8
          RETURNING id
          """,
        arguments: [id, rule.name, rule.kind.rawValue, settings, rule.cursor, rule.since, now, author]) ?? 0
    }
  }

  func removeRule(_ id: Int64, at now: Int64) async throws {
    try await store.pool.write { database in
      if let rule = try Self.rule(id, in: database) {
        try AlertEnd.tellAll(of: rule, because: "The rule was removed.", at: now, in: database)
      }
      try database.execute(sql: "DELETE FROM alert_rule WHERE id = ?", arguments: [id])
      guard database.changesCount > 0 else { throw Self.noRule }
      try database.execute(sql: "DELETE FROM alert_state WHERE rule = ?", arguments: [id])
    }
  }

  static let noRule = APIError(.notFound, "no_rule", "there is no such alert rule")
  static let noChannel = APIError(.notFound, "no_channel", "there is no such alert channel")

  // MARK: Channels

  static func channels(in database: Database) throws -> [AlertChannel] {
    try Row.fetchAll(
      database, sql: "SELECT id, name, kind, settings, changedAt, changedBy FROM alert_channel ORDER BY id"
    ).compactMap(channel)
  }

  static func channel(_ id: Int64, in database: Database) throws -> AlertChannel? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT id, name, kind, settings, changedAt, changedBy FROM alert_channel WHERE id = ?"), arguments: [id]
    ).flatMap(channel)
  }

  private static func channel(_ row: Row) -> AlertChannel? {
    guard let kind = AlertChannel.Kind(rawValue: row[2]),
      let settings = try? JSONDecoder().decode(AlertChannel.Settings.self, from: Data((row[3] as String).utf8))
    else { return nil }
    return AlertChannel(id: row[0], name: row[1], kind: kind, settings: settings, changedAt: row[4], changedBy: row[5])
  }

  /// Adds a channel, or changes one: of a secret that is not given the known one stays.
  ///
  /// - Returns: it, with the secret that was made for it, if one was.
  /// - Throws: ``APIError``.
  func save(
    channel body: JSONTree, change id: Int64? = nil, by author: String, at now: Int64
  ) async throws -> (channel: AlertChannel, madeSecret: String?) {
    try await store.pool.write { database in
      let before = try id.map { id in
        guard let channel = try Self.channel(id, in: database) else { throw Self.noChannel }
        return channel
      }
      var (channel, secret) = try AlertChannel.read(body, before: before)
      try Self.checkName(channel.name, in: "alert_channel", except: id, database)
      guard
        try id != nil || (Int.fetchOne(database, sql: "SELECT COUNT(*) FROM alert_channel") ?? 0) < AlertChannel.most
      else {
        throw APIError(.conflict, "too_many", "there are \(AlertChannel.most) channels, which is the limit")
      }
      let settings = String(decoding: try JSONEncoder().encode(channel.settings), as: UTF8.self)
      channel.id =
        try Int64.fetchOne(
          database,
          sql: """
            INSERT INTO alert_channel(id, name, kind, settings, changedAt, changedBy) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT(id) DO UPDATE SET name = ?2, settings = ?4, changedAt = ?5, changedBy = ?6 RETURNING id
            """, arguments: [id, channel.name, channel.kind.rawValue, settings, now, author]) ?? 0
      // Whoever mends a channel wants to see what waits for it.
      try database.execute(
        sql: "UPDATE alert_message SET due = ?1, changedAt = ?1 WHERE channel = ?2 AND state = 'waiting'",
        arguments: [now, channel.id])
      (channel.changedAt, channel.changedBy) = (now, author)
      return (channel, secret)
    }
  }

  /// What waits for it is not sent any more.
  func removeChannel(_ id: Int64, at now: Int64) async throws {
    try await store.pool.write { database in
      try database.execute(sql: "DELETE FROM alert_channel WHERE id = ?", arguments: [id])
      guard database.changesCount > 0 else { throw Self.noChannel }
      try database.execute(
        sql: """
          UPDATE alert_message SET state = 'failed', reason = 'the channel was removed', changedAt = ?
          WHERE channel = ? AND state = 'waiting'
          """, arguments: [now, id])
      for var rule in try Self.rules(in: database) where rule.settings.channels.contains(id) {
        rule.settings.channels.removeAll { $0 == id }
        let settings = String(decoding: try JSONEncoder().encode(rule.settings), as: UTF8.self)
        try database.execute(sql: "UPDATE alert_rule SET settings = ? WHERE id = ?", arguments: [settings, rule.id])
      }
    }
  }

  private static func checkName(_ name: String, in table: String, except id: Int64?, _ database: Database) throws {
    let other = try Int64.fetchOne(
      database, sql: "SELECT id FROM \(table) WHERE name = ? AND id IS NOT ?", arguments: [name, id])
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
