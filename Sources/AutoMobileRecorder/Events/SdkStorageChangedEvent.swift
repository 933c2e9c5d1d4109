/// A stored preference changed.
public struct SdkStorageChangedEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  /// The suite of `UserDefaults`; nil is the standard one.
  public let suiteName: String?
  public let key: String?
  /// The value's text; nil when it was removed.
  public let newValue: String?
  /// The value's type, as `KeyValueType` names it.
  public let valueType: String
  /// Increases by one with each change that was seen.
  public let sequenceNumber: Int64
  /// `add`, `modify` or `remove`, when it is known.
  public let changeType: String?
  /// The text of the value before, when it is known.
  public let previousValue: String?

  public init(
    timestamp: Int64 = EventClock.now(), suiteName: String?, key: String?, newValue: String?, valueType: String,
    sequenceNumber: Int64, changeType: String? = nil, previousValue: String? = nil
  ) {
    eventType = .storageChanged
    self.timestamp = timestamp
    self.suiteName = suiteName
    self.key = key
    self.newValue = newValue
    self.valueType = valueType
    self.sequenceNumber = sequenceNumber
    self.changeType = changeType
    self.previousValue = previousValue
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("suiteName", suiteName)
    json.member("key", key)
    json.member("newValue", newValue)
    json.member("valueType", valueType)
    json.member("sequenceNumber", sequenceNumber)
    json.member("changeType", changeType)
    json.member("previousValue", previousValue)
  }
}
