import AutoMobileSupport
import Foundation

/// An event's JSON with the type that it has, as AutoMobile's receivers expect it: `{"eventType", "payload"}`.
public struct SdkEventEnvelope: Codable, Sendable {
  /// What kind of event it is; ``SdkEventType/custom`` when ``rawEventType`` is none that this version knows.
  public let eventType: SdkEventType
  /// The type by its name in JSON. Encoding writes this one, so an event of an unknown type passes through unharmed.
  public let rawEventType: String
  /// The event's own JSON. It repeats `eventType`. In an encoded batch it is base64.
  public let payload: Data
  /// The position of the event's record in the journal; with the launch's id it names the event for ever.
  public let sequence: UInt64?

  /// Encodes an event, as it would be recorded.
  ///
  /// - Throws: ``EventEncodingError``.
  public init<E: SdkEvent>(_ event: E) throws {
    let payload = try withEncodedEvent(event, contextId: nil) { Data($0) }
    self.init(rawEventType: event.eventType.rawValue, payload: payload)
  }

  /// Wraps JSON that has been encoded already.
  public init(rawEventType: String, payload: Data, sequence: UInt64? = nil) {
    eventType = SdkEventType(rawValue: rawEventType) ?? .custom
    self.rawEventType = rawEventType
    self.payload = payload
    self.sequence = sequence
  }

  /// The event, decoded. See ``SdkEventDecoder``.
  public func event() throws -> any SdkEvent {
    try SdkEventDecoder.decode(payload)
  }

  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    self.init(
      rawEventType: members.value("eventType"), payload: members.value("payload", or: Data()),
      sequence: members.value("sequence"))
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", rawEventType)
    members.add("payload", payload)
    members.add("sequence", sequence)
    try members.end()
  }
}
