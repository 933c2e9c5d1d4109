import AutoMobileRecorder

extension AutoMobileIntegration {
  /// Every module's, in the order in which they start.
  public static var all: [AutoMobileIntegration] { [.crashReporting, .requests, .interface, .system, .inspection] }
}
