import HTTPTypes

/// Header fields that the HTTP types do not name.
extension HTTPField.Name {
  /// The media types that a resource takes (W3C Linked Data Platform, 7.1).
  static let acceptPost = named("Accept-Post")
  /// Where a listener of server-sent events stopped.
  static let lastEventID = named("Last-Event-ID")
  /// Of the Model Context Protocol: its revision, and what its message is about.
  static let mcpProtocolVersion = named("MCP-Protocol-Version")
  static let mcpMethod = named("Mcp-Method")
  static let mcpName = named("Mcp-Name")
  /// Whom a proxy passes a request on for, and by which scheme it came (RFC 7239, and before).
  static let forwarded = named("Forwarded")
  static let xForwardedFor = named("X-Forwarded-For")
  static let xForwardedProto = named("X-Forwarded-Proto")
  static let referrerPolicy = named("Referrer-Policy")
  /// The first is a request's authority, and not among its fields.
  static let secondHost = named("Host")
  static let secFetchDest = named("Sec-Fetch-Dest")
  static let secFetchMode = named("Sec-Fetch-Mode")
  static let secFetchSite = named("Sec-Fetch-Site")
  /// The tag of the app's current configuration document.
  static let xAutoMobileConfig = named("X-AutoMobile-Config")
  /// For how many seconds an app's question for news is held.
  static let xAutoMobileListen = named("X-AutoMobile-Listen")
  /// Who forwards, by a name of its run.
  static let xAutoMobileForwarder = named("X-AutoMobile-Forwarder")
  /// The viewer's page says with it that a request is its own.
  static let xAutoMobileViewer = named("X-AutoMobile-Viewer")
  /// Tells nginx not to hold a stream back.
  static let xAccelBuffering = named("X-Accel-Buffering")
  static let xAPIKey = named("X-API-Key")
  /// The app that records a replay.
  static let xBundleID = named("X-Bundle-Id")
  /// A project's key, as the replay protocol has it.
  static let xPublicKey = named("X-Public-Key")
  static let xFrameOptions = named("X-Frame-Options")

  private static func named(_ name: String) -> HTTPField.Name {
    guard let result = HTTPField.Name(name) else { preconditionFailure("\(name) is no field name") }
    return result
  }
}
