/// Events on their way: the body of a delivery in AutoMobile's envelope format, and what
/// `SdkEventBroadcaster.eventBatchNotification` carries.
public struct SdkEventBatch: Codable, Sendable {
  public let bundleId: String?
  public let events: [SdkEventEnvelope]
  /// When the batch was made, in milliseconds since 1970.
  public let timestamp: Int64

  public init(bundleId: String?, events: [SdkEventEnvelope], timestamp: Int64 = EventClock.now()) {
    self.bundleId = bundleId
    self.events = events
    self.timestamp = timestamp
  }
}
