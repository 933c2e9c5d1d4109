/// The main thread did not answer for a while. One hang is one event, recorded when it has ended.
public struct SdkHangEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// How long it lasted, in milliseconds.
  public let durationMs: Double
  /// The main thread's frames during the hang, one a line.
  public let stackTrace: String?
  public let bundleId: String
  /// The screen that the app was on.
  public let currentScreen: String?
  /// Where the time went, in full.
  public let report: DiagnosticReport?

  /// Stores a duration of 0 for what is not a finite number, since JSON has none but finite ones.
  public init(
    timestamp: Int64 = EventClock.now(), durationMs: Double, stackTrace: String?, bundleId: String,
    currentScreen: String? = nil, report: DiagnosticReport? = nil
  ) {
    eventType = .hang
    self.timestamp = timestamp
    self.durationMs = durationMs.isFinite ? durationMs : 0
    self.stackTrace = stackTrace
    self.bundleId = bundleId
    self.currentScreen = currentScreen
    self.report = report
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("durationMs", durationMs)
    json.member("stackTrace", stackTrace)
    json.member("bundleId", bundleId)
    json.member("currentScreen", currentScreen)
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}
