/// Projects of which less is kept than of everything.
///
/// Of a project's own days and the collector's the shorter ones hold. Nobody who decides in one project has the collector keep more
/// than its operator allows, and where whole days are dropped for all, as in ClickHouse, nothing of a day can outlast it. Bytes are
/// counted for the whole collector alone: a page of the index, or a part in ClickHouse, has rows of several projects.
struct ProjectRetention: Sendable, Equatable {
  /// By the project's app. All are shorter than what holds for everything.
  let days: [String: Int]
  /// All apps that are projects: what came under an extension's name is its app's, unless it is a project itself.
  let apps: Set<String>

  static let none = ProjectRetention([:], among: [], below: .everything)

  init(_ days: [String: Int], among apps: Set<String>, below policy: RetentionPolicy) {
    self.days = days.filter { $0.value < policy.days ?? .max }
    self.apps = apps
  }

  /// The days that hold for a project; nil: it is kept for ever.
  static func kept(_ own: Int?, _ policy: RetentionPolicy) -> Int? { [own, policy.days].compactMap(\.self).min() }

  /// What a request says of a project's days; nil: it has none of its own.
  ///
  /// - Throws: ``APIError`` that names the member.
  static func days(_ value: JSONTree) throws -> Int? {
    if value.isNull { return nil }
    guard let days = value.integer, (1...Int64(RetentionPolicy.mostDays)).contains(days) else {
      throw APIError.badRequest(
        "invalid_days", "days must be a whole number from 1 to \(RetentionPolicy.mostDays), or null for the collector's"
      )
    }
    return Int(days)
  }
}
