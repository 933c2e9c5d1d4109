import AutoMobileSupport

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
    json.add("stackTrace", stackTrace)
    json.add("bundleId", bundleId)
    json.add("currentScreen", currentScreen)
    if let report { json.object("report") { report.encodeFields(into: &$0) } }
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkHangEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    durationMs = members.value("durationMs")
    stackTrace = members.value("stackTrace")
    bundleId = members.value("bundleId")
    currentScreen = members.value("currentScreen")
    report = members.value("report")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("durationMs", durationMs)
    members.add("stackTrace", stackTrace)
    members.add("bundleId", bundleId)
    members.add("currentScreen", currentScreen)
    members.add("report", report)
    try members.end()
  }
}
