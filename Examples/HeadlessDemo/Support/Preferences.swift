import AutoMobileSDK

/// What the app keeps between launches, with each change recorded.
@MainActor
final class Preferences {
  private let recording: Recording
  private var values: [String: String] = [:]
  private var sequence: Int64 = 0

  init(_ recording: Recording) { self.recording = recording }

  /// Nil removes the value.
  func set(_ key: String, _ value: String?, type: String = "string") {
    values[key] = value
    sequence += 1
    recording.event(
      SdkStorageChangedEvent(
        suiteName: "com.example.roastery", key: key, newValue: value, valueType: type, sequenceNumber: sequence))
  }
}
