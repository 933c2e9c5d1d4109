import AutoMobileState
import Foundation
import Logging

/// By app how its sources are opened. Kept in the state, answered from memory.
final class SourceLinkStore: Sendable {
  struct Setting: Sendable {
    var link: SourceLink
    var changedAt: Int64
    var changedBy: String
  }

  private static let prefix = "source:"
  private static let most = 1000
  private let memory: StateMemory<[String: Setting]>

  init(_ state: any StateStore, logger: Logger) throws {
    memory = try StateMemory(of: [.settings], in: state, logger: logger, load: Self.settings)
  }

  var all: [(app: String, setting: Setting)] {
    memory.with { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Of an app, or of the app that it is an extension of; `*` is for all others.
  func link(for app: String?) -> SourceLink? {
    memory.with { settings in
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
    if link != nil, memory.with({ $0.count >= Self.most && $0[app] == nil }) {
      throw APIError.badRequest("too_many", "there are links for \(Self.most) apps already")
    }
    let text = try link.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try await memory.write { state in
      if let text {
        try StateSetting.write(Self.prefix + app, text, by: author, at: now, in: state)
      } else {
        try state.execute("DELETE FROM setting WHERE name = ?1", Self.prefix + app)
      }
      try state.tell(.settings, Self.prefix + app)
    } then: { settings, _ in
      settings[app] = link.map { Setting(link: $0, changedAt: now, changedBy: author) }
    }
  }

  private static func settings(in state: borrowing StateReading) throws -> [String: Setting] {
    let rows = try state.rows(
      "SELECT name, value, changedAt, changedBy FROM setting WHERE substr(name, 1, ?2) = ?1", prefix, prefix.count)
    var settings: [String: Setting] = [:]
    for row in rows {
      guard let link = try? JSONDecoder().decode(SourceLink.self, from: Data((try row[1] as String).utf8)),
        // It may have been kept when less was refused.
        (try? link.check()) != nil
      else { continue }
      settings[String((try row[0] as String).dropFirst(prefix.count))] = Setting(
        link: link, changedAt: try row[2] as Int64? ?? 0, changedBy: try row[3] as String? ?? "")
    }
    return settings
  }
}
