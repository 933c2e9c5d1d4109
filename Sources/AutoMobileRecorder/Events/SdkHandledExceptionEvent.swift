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
  public let report: DiagnosticReport?
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
    self.report = report
    self.fingerprint = fingerprint
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("errorDomain", errorDomain)
    json.member("errorMessage", errorMessage)
    json.member("stackTrace", stackTrace)
    json.member("customMessage", customMessage)
    json.member("currentScreen", currentScreen)
    json.member("bundleId", bundleId)
    json.member("appVersion", appVersion)
    json.object("deviceInfo") { deviceInfo.encodeFields(into: &$0) }
    json.member("errorCode", errorCode)
    json.member("fingerprint", fingerprint)
    if let underlyingErrors {
      json.objects("underlyingErrors", underlyingErrors) { error, json in
        json.member("domain", error.domain)
        json.member("code", error.code)
        json.member("message", error.message)
      }
    }
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}
