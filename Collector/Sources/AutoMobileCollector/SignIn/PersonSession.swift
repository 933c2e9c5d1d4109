import Foundation

/// A browser in which somebody has signed in.
struct PersonSession: Sendable, Hashable {
  var id: Int64
  /// SHA-256 of what the cookie holds.
  var hash: Data
  var person: Person
  /// Times in milliseconds since 1970.
  var createdAt: Int64
  var lastSeenAt: Int64
  /// Where it came from when it began, and what the browser called itself: by these people tell theirs apart.
  var address: String?
  var browser: String?
}

/// How long somebody stays signed in.
public struct SessionLimits: Sendable {
  /// After so long without a request it is over, in seconds.
  public var idleSeconds = 8 * 3600.0
  /// Whatever happens, it is over after so long: by then the identity provider is asked again, in seconds.
  public var seconds = 7 * 86_400.0
  /// Of one person, and of all. The one that was seen longest ago makes room.
  public var ofOnePerson = 20
  public var all = 5000
  /// Sign-ins that went wrong, from one address and from all, within ``throttleSeconds``: beyond, that address waits, or all. The
  /// second is a bound for the log and for what a provider is asked; people should not come to it because of others.
  public var failures = 10
  public var allFailures = 3000
  public var throttleSeconds = 300.0

  public init() {}

  /// When a session that was seen then is over; milliseconds since 1970.
  func end(of session: PersonSession) -> Int64 {
    min(session.createdAt + Int64(seconds * 1000), session.lastSeenAt + Int64(idleSeconds * 1000))
  }
}
