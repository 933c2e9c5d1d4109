/// Something that happened in the app.
///
/// The SDK brings fifteen types. An app can define its own: any `Codable`, `Sendable` value with an ``eventType`` and
/// a ``timestamp`` will do, and is recorded as the JSON object that its `encode(to:)` gives.
///
///     struct CheckoutEvent: SdkEvent {
///       var eventType = SdkEventType.custom
///       var timestamp = EventClock.now()
///       var total: Double
///     }
public protocol SdkEvent: Codable, Sendable {
  /// What kind of event this is.
  var eventType: SdkEventType { get }
  /// When it happened, in milliseconds since 1970.
  var timestamp: Int64 { get }

  /// Writes the members of the event's JSON object, without the braces.
  ///
  /// There is no need to implement this: the default goes through `Codable`. The SDK's own types write by hand, because
  /// that is many times faster and allocates nothing. Whoever does the same must write what `encode(to:)` would:
  /// observers decode the event from it. Called on the thread that records, while no lock is held.
  func encodeFields(into json: inout EventJSONWriter)
}

extension SdkEvent {
  public func encodeFields(into json: inout EventJSONWriter) {
    json.members(of: self)
  }
}
