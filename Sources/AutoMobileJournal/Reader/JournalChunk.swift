/// Consecutive records of one launch, ready to be sent as they are.
public struct JournalChunk: Sendable {
  /// A record in ``bytes``.
  public struct Record: Sendable, Equatable {
    /// Where its header begins in ``JournalChunk/bytes``.
    public let offset: Int
    public let position: UInt64
    public let kind: RecordKind
    /// Where its payload is in ``JournalChunk/bytes``.
    public let payload: Range<Int>
  }

  public let launch: LaunchID
  /// The first position that the chunk answers for.
  public let from: UInt64
  /// The position after the last: acknowledge up to here.
  public let to: UInt64
  /// The records, byte for byte as they stand in the journal, without padding.
  public let bytes: [UInt8]
  public let records: [Record]
  /// How many of the records are of a kind that the ledger counts.
  public let eventCount: Int
}

/// A record that was read out of a journal, with a copy of its payload.
public struct JournalRecord: Sendable, Equatable {
  public let position: UInt64
  public let kind: RecordKind
  public let payload: [UInt8]
}
