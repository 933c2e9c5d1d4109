import AutoMobileRecorder

/// An error that the app handled and reported, as ``AutoMobileFailures/getRecentEvents()`` gives it.
public struct HandledExceptionEvent: Sendable {
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

  public init(
    timestamp: Int64, errorDomain: String, errorMessage: String?, stackTrace: String, customMessage: String?,
    currentScreen: String?, bundleId: String, appVersion: String?, deviceInfo: SdkDeviceInfo
  ) {
    self.timestamp = timestamp
    self.errorDomain = errorDomain
    self.errorMessage = errorMessage
    self.stackTrace = stackTrace
    self.customMessage = customMessage
    self.currentScreen = currentScreen
    self.bundleId = bundleId
    self.appVersion = appVersion
    self.deviceInfo = deviceInfo
  }
}
