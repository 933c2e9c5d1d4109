/// Finds out which devices an ask may concern, and what has arrived of it.
enum AskAudience {
  /// Contexts that are looked at in one go, the newest: of a user, and of a session.
  static let mostContexts = 16_000
  static let mostOfSession = 32
  static let mostDevices = 1000

  /// Whether a session's device has nothing that is not here.
  static func keepsNothing(_ told: ToldSession) -> Bool {
    switch told.place {
    case .device: false
    // What comes while it goes on may be asked for.
    case .here: told.isFinal
    case .gone: true
    }
  }

  /// Installations that were found, and the place up to which it was looked.
  struct Look: Sendable {
    var devices: Set<String> = []
    var last: Int64

    mutating func add(_ found: some Sequence<String>) {
      devices.formUnion(found.filter { (1...AskRules.longestSubject).contains($0.utf8.count) })
    }
  }
}
