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
  public let report: DiagnosticReport?

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
    self.report = report
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("errorDomain", errorDomain)
    json.member("errorMessage", errorMessage)
    json.member("stackTrace", stackTrace)
    json.member("currentScreen", currentScreen)
    json.member("bundleId", bundleId)
    json.member("appVersion", appVersion)
    json.object("deviceInfo") { deviceInfo.encodeFields(into: &$0) }
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}
