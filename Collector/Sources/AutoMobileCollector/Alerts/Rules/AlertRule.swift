import Foundation

/// Of what somebody wants to be told.
struct AlertRule: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable, Codable {
    case newIssue = "new_issue"
    case regression
    case issueRate = "issue_rate"
    case crashFree = "crash_free"
    case requestErrors = "request_errors"
    case silence
    case ask

    /// Something happens, once; else something is the case, and is not any more.
    var isMoment: Bool { self == .newIssue || self == .regression || self == .ask }
    /// Whether it may be about some kinds of issues only.
    var isOfIssues: Bool { self == .newIssue || self == .regression || self == .issueRate }
  }

  var id: Int64 = 0
  var name: String
  var kind: Kind
  var settings: Settings
  var cursor: Int64 = 0
  var since: Int64 = 0
  var held: Int64 = 0
  var changedAt: Int64 = 0
  var changedBy = ""

  /// Kept as JSON. What a kind does not ask for is nil.
  struct Settings: Sendable, Equatable, Codable {
    var enabled = true
    var bundleId: String?
    var version: String?
    /// crash, hang, failure; nil: all.
    var issueKinds: [String]?
    /// Reports in the time; percent.
    var threshold: Double?
    /// The time that is looked at.
    var minutes: Int?
    /// With fewer sessions or requests a share says nothing.
    var minimum: Int?
    var method: String?
    var host: String?
    var route: String?
    /// Of what is asked for: came, gone; nil: both.
    var states: [String]?
    /// Nothing more is said of the same within this time.
    var quietMinutes = 60
    /// Whether it is told when it is over.
    var resolved = true
    var channels: [Int64] = []
  }

  static let most = 100
  static let longestName = 80
  /// What can become of what is asked for.
  static let states = [Ask.State.came, .gone].map(\.rawValue)
}

extension AlertRule.Kind {
  /// What is taken when nobody says: the time in minutes, and how many there must be.
  var standardMinutes: Int? {
    switch self {
    case .newIssue, .regression, .ask: nil
    case .issueRate, .requestErrors: 60
    case .crashFree: 1440
    case .silence: 60
    }
  }

  var standardMinimum: Int? {
    switch self {
    case .crashFree, .requestErrors: 20
    default: nil
    }
  }
}
