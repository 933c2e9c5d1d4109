import AutoMobileSupport

/// Events on their way: the body of a delivery in AutoMobile's envelope format, and what
/// `SdkEventBroadcaster.eventBatchNotification` carries.
public struct SdkEventBatch: Codable, Sendable {
  public let bundleId: String?
  public let events: [SdkEventEnvelope]
  /// When the batch was made, in milliseconds since 1970.
  public let timestamp: Int64
  /// The batch's name, the same each time that it is sent, also by a later launch: whoever has it knows it again. Nil in batches of
  /// AutoMobile's own SDK, and where each event has a ``SdkEventEnvelope/sequence``.
  public let batchId: String?
  /// The place of the batch among those of its broadcaster in this process, from 1 on; a batch that is sent anew by a later launch gets
  /// a new one.
  public let sequence: UInt64?

  public init(
    bundleId: String?, events: [SdkEventEnvelope], timestamp: Int64 = EventClock.now(), batchId: String? = nil,
    sequence: UInt64? = nil
  ) {
    self.bundleId = bundleId
    self.events = events
    self.timestamp = timestamp
    self.batchId = batchId
    self.sequence = sequence
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkEventBatch {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    bundleId = members.value("bundleId")
    events = members.value("events", or: [])
    timestamp = members.value("timestamp")
    batchId = members.value("batchId")
    sequence = members.value("sequence")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("bundleId", bundleId)
    members.add("events", events)
    members.add("timestamp", timestamp)
    members.add("batchId", batchId)
    members.add("sequence", sequence)
    try members.end()
  }
}
