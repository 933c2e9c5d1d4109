import AutoMobileSupport

/// What an ``SdkContext`` held at one moment.
public struct SdkContextSnapshot: Codable, Sendable, Equatable {
  public let sessionId: String?
  public let userId: String?
  public let appVersion: String?
  public let tags: [String: String]

  public init(sessionId: String?, userId: String?, appVersion: String?, tags: [String: String]) {
    self.sessionId = sessionId
    self.userId = userId
    self.appVersion = appVersion
    self.tags = tags
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkContextSnapshot {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    sessionId = members.value("sessionId")
    userId = members.value("userId")
    appVersion = members.value("appVersion")
    tags = members.value("tags")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("sessionId", sessionId)
    members.add("userId", userId)
    members.add("appVersion", appVersion)
    members.add("tags", tags)
    try members.end()
  }
}
