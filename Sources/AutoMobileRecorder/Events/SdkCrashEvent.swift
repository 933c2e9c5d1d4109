import AutoMobileSupport

/// The app died: of an uncaught exception, or of a signal in an earlier launch.
public struct SdkCrashEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The exception's name, or the signal's.
  public let errorDomain: String
  public let errorMessage: String?
  /// One frame a line.
  public let stackTrace: String
  public let currentScreen: String?
  public let bundleId: String
  public let appVersion: String?
  public let deviceInfo: SdkDeviceInfo
  /// All that is known of it: threads, images, registers.
  public var report: DiagnosticReport? { kept?.report }
  private let kept: KeptReport?

  public init(
    timestamp: Int64 = EventClock.now(), errorDomain: String, errorMessage: String?, stackTrace: String,
    currentScreen: String?, bundleId: String, appVersion: String?, deviceInfo: SdkDeviceInfo,
    report: DiagnosticReport? = nil
  ) {
    eventType = .crash
    self.timestamp = timestamp
    self.errorDomain = errorDomain
    self.errorMessage = errorMessage
    self.stackTrace = stackTrace
    self.currentScreen = currentScreen
    self.bundleId = bundleId
    self.appVersion = appVersion
    self.deviceInfo = deviceInfo
    kept = KeptReport(report)
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.add("errorDomain", errorDomain)
    json.add("errorMessage", errorMessage)
    json.add("stackTrace", stackTrace)
    json.add("currentScreen", currentScreen)
    json.add("bundleId", bundleId)
    json.add("appVersion", appVersion)
    json.object("deviceInfo") { deviceInfo.encodeFields(into: &$0) }
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkCrashEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    errorDomain = members.value("errorDomain")
    errorMessage = members.value("errorMessage")
    stackTrace = members.value("stackTrace")
    currentScreen = members.value("currentScreen")
    bundleId = members.value("bundleId")
    appVersion = members.value("appVersion")
    deviceInfo = try members.required("deviceInfo")
    kept = KeptReport(members.value("report"))
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("errorDomain", errorDomain)
    members.add("errorMessage", errorMessage)
    members.add("stackTrace", stackTrace)
    members.add("currentScreen", currentScreen)
    members.add("bundleId", bundleId)
    members.add("appVersion", appVersion)
    members.add("deviceInfo", deviceInfo)
    members.add("report", report)
    try members.end()
  }
}
