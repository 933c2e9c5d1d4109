import AutoMobileJournal

/// Why an event was lost. Every loss has one reason, and is counted before the call returns.
public enum DropReason: String, Codable, Sendable, CaseIterable {
  /// Recording was switched off.
  case disabled
  /// The SDK had been shut down.
  case shutdown
  /// The event could not be encoded, or the flush closure threw.
  case flushError
  /// Events came faster than room for them could be made.
  case bufferOverflow
  /// An event processor dropped it.
  case filtered
  /// Its session is not among those that are recorded.
  case sampledOut
  /// It came before initialization.
  case notInitialized
  /// The receiver did not take it, for good.
  case deliveryFailed
  /// Removed, as the oldest, to stay within the budget on disk.
  case evicted
  /// Older than seven days.
  case expired
  /// The disk was full.
  case diskFull
  /// Larger than a record may be, or refused by the receiver as malformed.
  case rejected
  /// Damaged on disk.
  case corrupt
  /// It waited to be delivered when consent was denied, or when the app had everything erased.
  case erased
}
