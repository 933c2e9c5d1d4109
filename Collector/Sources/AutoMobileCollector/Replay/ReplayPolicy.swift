import Foundation

/// What an app may record: the section `replay` of its configuration document, by the names that the SDK knows.
struct ReplayPolicy: Sendable {
  static let section = "replay"

  var recordingEnabled = true
  /// In percent.
  var sampleRate = 100.0
  var recordingFps = 3.0
  var maxRecordingMinutes = 10.0
  /// `all` or `secure_only`.
  var textInputMasking = "all"
  /// `none` or `all`.
  var imageVideoMasking = "none"
  var disabled = false
  var reason: String?
  /// What of an app's replays is kept at one time, in bytes; nil: no limit.
  var quotaBytes: Int64?

  init(_ document: JSONTree?) {
    guard let section = document?[Self.section] else { return }
    recordingEnabled = section["recordingEnabled"]?.bool ?? recordingEnabled
    sampleRate = section["sampleRate"]?.number ?? sampleRate
    recordingFps = section["recordingFps"]?.number ?? recordingFps
    maxRecordingMinutes = section["maxRecordingMinutes"]?.number ?? maxRecordingMinutes
    textInputMasking = section["textInputMasking"]?.string ?? textInputMasking
    imageVideoMasking = section["imageVideoMasking"]?.string ?? imageVideoMasking
    disabled = section["disabled"]?.bool ?? disabled
    reason = section["reason"]?.string
    quotaBytes = section["quotaBytes"]?.integer
  }

  func write(isOverQuota: Bool, to json: inout JSONOutput) {
    json.object {
      $0.member("recordingEnabled", recordingEnabled)
      $0.member("sampleRate", number: sampleRate)
      $0.member("recordingFps", number: recordingFps)
      $0.member("maxRecordingMinutes", number: maxRecordingMinutes)
      $0.member("textInputMasking", textInputMasking)
      $0.member("imageVideoMasking", imageVideoMasking)
      $0.member("billingBlocked", isOverQuota)
      $0.member("disabled", disabled)
      if let reason { $0.member("reason", reason) }
    }
  }
}
