import AutoMobileSupport

/// An error that the app caught and reported.
public struct SdkHandledExceptionEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The error's domain, or its type's name.
  public let errorDomain: String
  public let errorMessage: String?
  /// One frame a line.
  public let stackTrace: String
  /// What the app had to say about it.
  public let customMessage: String?
  public let currentScreen: String?
  public let bundleId: String
  public let appVersion: String?
  public let deviceInfo: SdkDeviceInfo
  /// The error's code, if it has one.
  public let errorCode: Int?
  /// The errors behind it, the nearest first; nil when there are none.
  public let underlyingErrors: [UnderlyingError]?
  /// The stack and the images that it runs through.
  public var report: DiagnosticReport? { kept?.report }
  private let kept: KeptReport?
  /// Which problem it is, by a name of the app's own; nil when the app leaves that to the collector.
  public let fingerprint: String?

  /// An error that led to another.
  public struct UnderlyingError: Codable, Sendable, Equatable {
    /// The error's domain, or its type's name.
    public let domain: String
    public let code: Int?
    public let message: String?

    public init(domain: String, code: Int?, message: String?) {
      self.domain = domain
      self.code = code
      self.message = message
    }
  }

  public init(
    timestamp: Int64 = EventClock.now(), errorDomain: String, errorMessage: String?, stackTrace: String,
    customMessage: String?, currentScreen: String?, bundleId: String, appVersion: String?, deviceInfo: SdkDeviceInfo,
    errorCode: Int? = nil, underlyingErrors: [UnderlyingError]? = nil, report: DiagnosticReport? = nil,
    fingerprint: String? = nil
  ) {
    eventType = .handledException
    self.timestamp = timestamp
    self.errorDomain = errorDomain
    self.errorMessage = errorMessage
    self.stackTrace = stackTrace
    self.customMessage = customMessage
    self.currentScreen = currentScreen
    self.bundleId = bundleId
    self.appVersion = appVersion
    self.deviceInfo = deviceInfo
    self.errorCode = errorCode
    self.underlyingErrors = underlyingErrors
    kept = KeptReport(report)
    self.fingerprint = fingerprint
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.add("errorDomain", errorDomain)
    json.add("errorMessage", errorMessage)
    json.add("stackTrace", stackTrace)
    json.add("customMessage", customMessage)
    json.add("currentScreen", currentScreen)
    json.add("bundleId", bundleId)
    json.add("appVersion", appVersion)
    json.object("deviceInfo") { deviceInfo.encodeFields(into: &$0) }
    json.add("errorCode", errorCode)
    json.add("fingerprint", fingerprint)
    if let underlyingErrors {
      json.objects("underlyingErrors", underlyingErrors) { error, json in
        json.add("domain", error.domain)
        json.add("code", error.code)
        json.add("message", error.message)
      }
    }
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkHandledExceptionEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    errorDomain = members.value("errorDomain")
    errorMessage = members.value("errorMessage")
    stackTrace = members.value("stackTrace")
    customMessage = members.value("customMessage")
    currentScreen = members.value("currentScreen")
    bundleId = members.value("bundleId")
    appVersion = members.value("appVersion")
    deviceInfo = try members.required("deviceInfo")
    errorCode = members.value("errorCode")
    underlyingErrors = members.value("underlyingErrors")
    kept = KeptReport(members.value("report"))
    fingerprint = members.value("fingerprint")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("errorDomain", errorDomain)
    members.add("errorMessage", errorMessage)
    members.add("stackTrace", stackTrace)
    members.add("customMessage", customMessage)
    members.add("currentScreen", currentScreen)
    members.add("bundleId", bundleId)
    members.add("appVersion", appVersion)
    members.add("deviceInfo", deviceInfo)
    members.add("errorCode", errorCode)
    members.add("underlyingErrors", underlyingErrors)
    members.add("report", report)
    members.add("fingerprint", fingerprint)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkHandledExceptionEvent.UnderlyingError {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    domain = members.value("domain")
    code = members.value("code")
    message = members.value("message")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("domain", domain)
    members.add("code", code)
    members.add("message", message)
    try members.end()
  }
}
