import Foundation
import GRDB

/// An ask that stands, and the devices that may keep something of it.
struct OpenAsk: Sendable {
  var ask: Ask
  /// Installations that this index knows the subject from.
  var devices: Set<String>

  /// Whether an app is told of it. Who is not concerned learns neither that there is an ask nor for whom it is.
  func concerns(_ asker: Asker) -> Bool {
    if let device = asker.device, devices.contains(device) { return true }
    switch ask.kind {
    case .session: return asker.session == ask.subject || devices.isEmpty && asker.device == nil
    case .user: return asker.user == ask.subject
    case .device: return asker.device == ask.subject
    case .appVersion: return asker.version == ask.subject
    }
  }

  /// Whether what came in a session is of it.
  func isAbout(_ session: ArrivedSession) -> Bool {
    guard session.bundle == ask.bundle else { return false }
    switch ask.kind {
    case .session: return session.name == ask.session
    case .user: return session.user == ask.subject
    case .device: return session.devices.contains(ask.subject)
    case .appVersion: return session.version == ask.subject
    }
  }
}

/// A session in which events have arrived.
struct ArrivedSession: Sendable {
  var name: String
  var bundle: String?
  var user: String?
  var version: String?
  var devices: Set<String>
}

/// Finds out which devices an ask may concern, and what has arrived of it.
enum AskAudience {
  /// Sessions that are looked at for the devices of a user, the newest ones; and contexts of each.
  private static let mostSessions = 500
  private static let mostContexts = 32

  static func devices(of ask: Ask, in database: Database) throws -> Set<String> {
    switch ask.kind {
    // An app says these itself. Devices that had the version once may have another one now, and are too many.
    case .device, .appVersion: return []
    case .session:
      return try devices(
        ofSessions: "SELECT id FROM session WHERE sessionId = ?1 LIMIT ?2", [ask.session, 1], database)
    case .user:
      return try devices(
        ofSessions: "SELECT id FROM session WHERE userId = ?1 AND bundleId = ?3 ORDER BY last DESC LIMIT ?2",
        [ask.subject, mostSessions, ask.bundle], database)
    }
  }

  private static func devices(
    ofSessions sql: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> Set<String> {
    var devices: Set<String> = []
    for session in try Int64.fetchAll(database, sql: sql, arguments: arguments) {
      devices.formUnion(try self.devices(of: session, in: database))
    }
    return devices
  }

  /// The installations that a session's contexts name: one, unless somebody makes contexts up.
  private static func devices(of session: Int64, in database: Database) throws -> Set<String> {
    let contexts = try Data.fetchAll(
      database.cachedStatement(sql: "SELECT json FROM context WHERE session = ? LIMIT \(mostContexts)"),
      arguments: [session])
    return Set(
      contexts.compactMap { json in
        json.withUnsafeBytes { (try? ContextRecord(json: $0))?.anonymousId }
      }.filter { (1...AskRules.longestSubject).contains($0.utf8.count) })
  }

  static func session(_ id: Int64, withDevices: Bool, in database: Database) throws -> ArrivedSession? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT sessionId, bundleId, userId, appVersion FROM session WHERE id = ?"),
        arguments: [id])
    else { return nil }
    return ArrivedSession(
      name: row[0], bundle: row[1], user: row[2], version: row[3],
      devices: withDevices ? try devices(of: id, in: database) : [])
  }

  /// Until when a session's device keeps what it recorded, by what it said last.
  enum Kept: Equatable {
    /// It has said nothing.
    case unknown
    case nothing
    case until(Int64)
  }

  static func kept(of session: String, in database: Database) throws -> Kept {
    let payload = try Data.fetchOne(
      database,
      sql: """
        SELECT payload FROM event WHERE session = (SELECT id FROM session WHERE sessionId = ?1)
          AND type = (SELECT id FROM event_type WHERE name = ?2) ORDER BY timestamp DESC LIMIT 1
        """, arguments: [session, summaryType])
    guard let payload,
      let summary = try? payload.withUnsafeBytes({ try JSONTree(checking: $0, maximumDepth: 16) })
    else { return .unknown }
    guard summary["keptEvents"]?.integer ?? 0 > 0 else { return .nothing }
    return summary["keptUntil"]?.integer.map { .until($0) } ?? .unknown
  }

  /// Sent of every session, asked for or not.
  static let summaryType = "session_summary"
}
