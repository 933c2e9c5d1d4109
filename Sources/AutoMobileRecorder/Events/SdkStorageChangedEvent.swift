import AutoMobileSupport

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
    json.add("suiteName", suiteName)
    json.add("key", key)
    json.add("newValue", newValue)
    json.add("valueType", valueType)
    json.add("sequenceNumber", sequenceNumber)
    json.add("changeType", changeType)
    json.add("previousValue", previousValue)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkStorageChangedEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    suiteName = members.value("suiteName")
    key = members.value("key")
    newValue = members.value("newValue")
    valueType = members.value("valueType")
    sequenceNumber = members.value("sequenceNumber")
    changeType = members.value("changeType")
    previousValue = members.value("previousValue")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("suiteName", suiteName)
    members.add("key", key)
    members.add("newValue", newValue)
    members.add("valueType", valueType)
    members.add("sequenceNumber", sequenceNumber)
    members.add("changeType", changeType)
    members.add("previousValue", previousValue)
    try members.end()
  }
}
