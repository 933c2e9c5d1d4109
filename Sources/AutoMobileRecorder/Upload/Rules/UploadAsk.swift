import AutoMobileJournal

/// What somebody at the collector asks for: what a user, a device, a session or a version recorded in some time.
struct UploadAsk: Sendable, Equatable {
  enum Subject: Sendable, Equatable {
    case session(String)
    case user(String)
    /// The installation, by the anonymous id that its events carry.
    case device(String)
    case appVersion(String)
  }

  var id: String
  var subject: Subject
  /// In milliseconds since 1970. Events with these times are meant, the bounds included.
  var from: Int64
  var to: Int64
  /// Why, in words of whoever asks.
  var reason: String?
  var priority: Int

  /// The most asks that count at a time.
  static let maximum = 32

  /// The id, and what is asked for: somebody may have corrected that under the same id.
  var key: String {
    let named =
      switch subject {
      case .session(let id): "s" + id
      case .user(let id): "u" + id
      case .device(let id): "d" + id
      case .appVersion(let version): "v" + version
      }
    return id + " " + String(FNV1a("\(from) \(to) " + named).value, radix: 36)
  }

  func isAbout(_ context: EventContext) -> Bool {
    switch subject {
    case .session(let id): context.sessionId == id
    case .user(let id): context.userId == id
    case .device(let id): context.anonymousId == id
    case .appVersion(let version): context.appVersion == version
    }
  }
}

/// What of a context somebody may ask for.
struct EventContext: Sendable, Equatable {
  var sessionId: String?
  var userId: String?
  var anonymousId: String?
  var appVersion: String?
}
