import NIOConcurrencyHelpers

/// That somebody did something: who opened which session, who changed what, who was refused.
struct AuditEntry: Sendable, Equatable {
  enum Action: String, Sendable, CaseIterable {
    /// A session, a replay, a report, a user was opened.
    case read
    /// Something was taken away as a file.
    case export
    case change
    case signIn = "sign-in"
    case signOut = "sign-out"
    /// Somebody was not let in, or may less than they tried.
    case refused
  }

  var id: Int64 = 0
  /// Milliseconds since 1970.
  var at: Int64
  /// A name, for people.
  var who: String
  /// What they are known by: `person link`, `key 3`, `start key`, `none`.
  var by: String
  var address: String?
  var action: Action
  /// `GET /api/sessions/{id}`: as it stands in the table of routes.
  var route: String
  /// The name of what it was about.
  var thing: String?
  var status: Int
}

/// What is found out about a request on its way, for the entry about it.
final class AuditNote: Sendable {
  private struct State: Sendable {
    var visitor: Visitor?
    var thing: String?
    var who: String?
  }

  private let kept = NIOLockedValueBox(State())

  func set(_ visitor: Visitor) { kept.withLockedValue { $0.visitor = visitor } }
  /// The name of what is made or changed, where it does not stand in the path.
  func set(thing: String) { kept.withLockedValue { $0.thing = thing } }
  /// Who has signed in by this request.
  func set(who: String) { kept.withLockedValue { $0.who = who } }

  /// Nil: nobody could say who it is.
  var visitor: Visitor? { kept.withLockedValue { $0.visitor } }
  var thing: String? { kept.withLockedValue { $0.thing } }
  var who: String? { kept.withLockedValue { $0.who } }
}
