import AutoMobileSupport

/// What ended the launch before this one, as far as can be known afterwards.
public struct PreviousLaunchEnd: Codable, Sendable, Equatable {
  public enum Verdict: String, Codable, Sendable, CaseIterable {
    /// The process ended itself.
    case cleanExit = "clean_exit"
    /// It crashed; there is a report.
    case crash
    /// It was ended while its main thread hung, as the system's watchdog does it.
    case hangKill = "hang_kill"
    /// It was ended for the memory it used, or because the device had none left.
    case outOfMemory = "out_of_memory"
    /// Somebody ended it: swiped it away, or sent it a signal.
    case userKill = "user_kill"
    /// It was ended for an update, of the app or of the system.
    case updated
    /// The device was started anew.
    case rebooted
    /// A debugger was attached.
    case debugger
    /// None of these is certain enough.
    case unknown
  }

  public let verdict: Verdict
  /// Why, in words for people.
  public let evidence: String
  /// The launch that ended, as the journal and the collector name it.
  public let launchId: String
  /// When it was last seen, in milliseconds since 1970: it ended then or later. Nil when nothing is left of it.
  public let lastSeen: Int64?

  public init(verdict: Verdict, evidence: String, launchId: String, lastSeen: Int64?) {
    self.verdict = verdict
    self.evidence = evidence
    self.launchId = launchId
    self.lastSeen = lastSeen
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension PreviousLaunchEnd {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    verdict = members.value("verdict", or: .unknown)
    evidence = members.value("evidence")
    launchId = members.value("launchId")
    lastSeen = members.value("lastSeen")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("verdict", verdict)
    members.add("evidence", evidence)
    members.add("launchId", launchId)
    members.add("lastSeen", lastSeen)
    try members.end()
  }
}
