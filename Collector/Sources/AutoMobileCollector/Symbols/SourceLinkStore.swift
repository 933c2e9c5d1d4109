import Foundation
import GRDB
import NIOConcurrencyHelpers

/// By app how its sources are opened. Kept in the database, answered from memory.
final class SourceLinkStore: Sendable {
  struct Setting: Sendable {
    var link: SourceLink
    var changedAt: Int64
    var changedBy: String
  }

  private static let prefix = "source:"
  private static let most = 1000
  private let pool: DatabasePool
  private let settings: NIOLockedValueBox<[String: Setting]>

  init(pool: DatabasePool) throws {
    self.pool = pool
    let rows = try pool.read {
      try Row.fetchAll(
        $0, sql: "SELECT name, value, changedAt, changedBy FROM setting WHERE name LIKE ? || '%'",
        arguments: [Self.prefix])
    }
    var settings: [String: Setting] = [:]
    for row in rows {
      guard let link = try? JSONDecoder().decode(SourceLink.self, from: Data((row[1] as String).utf8)),
        // It may have been kept when less was refused.
        (try? link.check()) != nil
      else { continue }
      settings[String((row[0] as String).dropFirst(Self.prefix.count))] = Setting(
        link: link, changedAt: row[2] as Int64? ?? 0, changedBy: row[3] as String? ?? "")
    }
    self.settings = NIOLockedValueBox(settings)
  }

  var all: [(app: String, setting: Setting)] {
    settings.withLockedValue { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Of an app, or of the app that it is an extension of; `*` is for all others.
  func link(for app: String?) -> SourceLink? {
    settings.withLockedValue { settings in
      guard let app else { return settings["*"]?.link }
      let owner = settings.keys.filter { app == $0 || app.hasPrefix($0 + ".") }.max { $0.count < $1.count }
      return settings[owner ?? "*"]?.link
    }
  }

  /// - Parameter link: nil removes it.
  /// - Throws: ``APIError`` when it is not one that opens sources.
  func set(_ link: SourceLink?, for app: String, by author: String, at now: Int64) async throws {
    guard (1...DataOwner.longestBundle).contains(app.utf8.count), !app.hasControlCharacters else {
      throw APIError.badRequest("invalid_bundle", "app must be a bundle id of 1 to 200 characters, or * for all others")
    }
    try link?.check()
    if link != nil, settings.withLockedValue({ $0.count >= Self.most && $0[app] == nil }) {
      throw APIError.badRequest("too_many", "there are links for \(Self.most) apps already")
    }
    let text = try link.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try await pool.write { database in
      guard let text else {
        return try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.prefix + app])
      }
      try database.execute(
        sql: """
          INSERT INTO setting VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO UPDATE SET value = ?2, changedAt = ?3, changedBy = ?4
          """, arguments: [Self.prefix + app, text, now, author])
    }
    settings.withLockedValue { $0[app] = link.map { Setting(link: $0, changedAt: now, changedBy: author) } }
  }
}
