import AutoMobileJournal

/// A record of a delivery, as the log has it, for whichever engine is to hold it.
struct LogRecord {
  var kind: RecordKind
  var sequence: Int64
  var received: Int64
  /// By the sender's clock.
  var sent: Int64?
  var payload: UnsafeRawBufferPointer
  var bundleId: String?

  var isEvent: Bool { kind == .event || kind == .eventAndBreadcrumb }
  /// When its sender can have said so: before it sent that, whatever the clock of the device says.
  func told(at timestamp: Int64) -> Int64 { min(timestamp, Self.sent(sent, received) - 1) }

  /// When a delivery was sent, by the device's clock, which may be ahead and be set right afterwards: what had its word from later
  /// than now would keep it for as long.
  static func sent(_ at: Int64?, _ received: Int64) -> Int64 { min(max(0, at ?? received), received) }

  /// The records of a delivery that was checked before it came into the log, one after the other.
  static func each(
    of body: UnsafeRawBufferPointer, from start: Int, _ header: BatchHeader, received: Int64, bundleId: String?,
    _ add: (LogRecord) throws -> Void
  ) rethrows {
    let codec = RecordCodec(launch: header.launchId)
    var offset = start
    while offset < body.count,
      case .record(let kind, let position, let payload, let next) = codec.parse(body, at: offset)
    {
      try add(
        LogRecord(
          kind: kind, sequence: Int64(bitPattern: position), received: received, sent: header.sentAt,
          payload: UnsafeRawBufferPointer(rebasing: body[payload]), bundleId: bundleId))
      offset = next
    }
  }
}
