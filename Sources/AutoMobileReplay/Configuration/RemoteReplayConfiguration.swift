import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// What the collector says about recording. Members that are missing or of another type are as by default.
struct RemoteReplayConfiguration: Sendable, Equatable {
  var recordingEnabled = true
  /// Of launches that are recorded, in percent.
  var sampleRate = 100.0
  /// Frames a second; nil: the local rate.
  var recordingFps: Double?
  var maxRecordingMinutes = 10.0
  /// Nil: as the app has it.
  var masksTextInput: Bool?
  var masksImages: Bool?
  /// There is no quota: events, no frames.
  var billingBlocked = false
  /// The project is switched off, and why.
  var disabledReason: String?

  init() {}

  init(json: [String: Any]) {
    recordingEnabled = json["recordingEnabled"] as? Bool ?? true
    if let rate = Self.number(json["sampleRate"]) { sampleRate = min(max(rate, 0), 100) }
    recordingFps = Self.number(json["recordingFps"]).flatMap { $0 > 0 ? min($0, 30) : nil }
    if let minutes = Self.number(json["maxRecordingMinutes"]), minutes > 0 { maxRecordingMinutes = min(minutes, 1440) }
    switch json["textInputMasking"] as? String {
    case "all": masksTextInput = true
    case "secure_only": masksTextInput = false
    default: break
    }
    switch json["imageVideoMasking"] as? String {
    case "all": masksImages = true
    case "none": masksImages = false
    default: break
    }
    billingBlocked = json["billingBlocked"] as? Bool ?? false
    if json["disabled"] as? Bool == true {
      disabledReason = (json["reason"] as? String).map { String($0.prefix(100)) } ?? "disabled"
    }
  }

  private static func number(_ value: Any?) -> Double? {
    guard let number = (value as? NSNumber)?.doubleValue, number.isFinite else { return nil }
    return number
  }

  /// What it comes to.
  ///
  /// - Parameter draw: this launch's lot, 0 to 100, the latter excluded.
  func decision(draw: Double) -> ReplayDecision {
    if let disabledReason { return .denied(disabledReason) }
    // Before anything begins.
    guard draw < sampleRate else { return .sampledOut }
    var plan = ReplayPlan()
    plan.isTelemetryOnly = !recordingEnabled || billingBlocked
    plan.maximumMs = max(1000, Int64(saturating: maxRecordingMinutes * 60_000))
    plan.framesPerSecond = recordingFps
    plan.masksTextInput = masksTextInput
    plan.masksImages = masksImages
    return .record(plan)
  }
}
