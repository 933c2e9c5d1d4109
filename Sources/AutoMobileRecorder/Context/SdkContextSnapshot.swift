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
