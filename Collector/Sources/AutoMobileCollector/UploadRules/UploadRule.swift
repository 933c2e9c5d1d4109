/// When something happens in an app, what around it leaves the device: a rule of the section `upload`, as the SDK knows it.
struct UploadRule: Sendable, Equatable {
  var name: String
  var when: UploadTrigger
  var send = UploadSpan()
}

/// What a rule sends when it applies.
struct UploadSpan: Sendable, Equatable {
  /// By the events' times.
  var minutesBefore = 2.0
  var minutesAfter = 0.5
  /// How often it applies at most on a device in a day of UTC; nil: as often as it does.
  var perDay: Int?
  /// What has the higher one goes first.
  var priority = 5
  /// Whether these minutes of a replay that was recorded go, too.
  var replay = true
  /// Whether requests go with their bodies.
  var bodies = true

  static let maximumMinutes = 60.0

  var beforeMs: Int64 { Int64(minutesBefore * 60_000) }
  var afterMs: Int64 { Int64(minutesAfter * 60_000) }
}

enum UploadTrigger: Sendable, Equatable {
  case crash, unexpectedEnd, handledFailure, rageTap, deadTap, capture
  /// In milliseconds.
  case hang(atLeastMs: Double)
  case slowLaunch(atLeastMs: Double)
  case frozenFrames(atLeast: Int)
  case request(UploadRequest)
  /// Levels count from 0, verbose, to 5, fault.
  case log(atLeast: Int, tag: String?)
  case event(UploadEvent)
  /// A share of sessions: 0 … 1.
  case sessions(fraction: Double)

  static let logLevels = ["verbose", "debug", "info", "warning", "error", "fault"]
}

/// Requests for which everything that is not nil holds.
struct UploadRequest: Sendable, Equatable {
  /// `*.example.com` is every name that ends with `.example.com`.
  var host: String?
  var pathPrefix: String?
  var method: String?
  var status: ClosedRange<Int>?
  var atLeastMs: Double?
  /// True: there was no answer, or one with a status from 400 on.
  var failed: Bool?
}

/// Events for which everything that is not nil holds, and every condition.
struct UploadEvent: Sendable, Equatable {
  var type: String?
  var name: String?
  var conditions: [UploadCondition] = []

  static let maximumConditions = 4
}

struct UploadCondition: Sendable, Equatable {
  enum Test: Sendable, Equatable {
    case text(String), number(Double), bool(Bool)
    /// A text with this in it.
    case contains(String)
    /// A number, or a text that is nothing but one.
    case atLeast(Double), atMost(Double)
  }

  /// The member, and those inside of it after dots.
  var field: String
  var test: Test
}
