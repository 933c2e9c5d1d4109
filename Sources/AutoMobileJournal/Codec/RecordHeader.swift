import CAutoMobile

/// What a record is, as far as the journal is told: a small number that it stores and never interprets.
public struct RecordKind: RawRepresentable, Hashable, Sendable {
  /// 0 … 63.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 63 }

  /// The rest of a full segment. Written by the journal itself, skipped by its readers.
  public static let padding = RecordKind(rawValue: 63)
}

/// The sixteen bytes before every payload.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | state (2 bits, highest), kind (6 bits), payload length (24 bits) |
/// | 4 | 4 | CRC-32C of launch id, position, the published word at offset 0, payload |
/// | 8 | 8 | position |
///
/// All integers are little endian. A record begins at a multiple of eight and ends at one; the bytes between are zero.
public struct RecordHeader: Equatable, Sendable {
  public static let size = 16
  /// The longest payload that a header can express, in bytes. A segment's capacity is usually less.
  public static let maximumPayload = 1 << 20

  public enum State: UInt32, Sendable {
    /// Nobody has written here, or whoever reserved the place has not come to writing yet.
    case free = 0
    /// Length and kind are known, the payload is being written.
    case claimed = 1
    /// Whole.
    case published = 3
  }

  public var state: State
  public var kind: RecordKind
  /// Length of the payload in bytes, without header and filling.
  public var length: Int
  public var checksum: UInt32
  public var position: UInt64

  /// Header, payload and filling: the distance to the next record.
  public static func stride(payload length: Int) -> Int { (size &+ length &+ 7) & ~7 }

  /// The word at offset 0. `length` must not exceed ``maximumPayload``.
  public static func word(_ state: State, kind: RecordKind, length: Int) -> UInt32 {
    state.rawValue << 30 | UInt32(kind.rawValue) << 24 | UInt32(truncatingIfNeeded: length) & 0xFF_FFFF
  }

  /// Takes a word apart; nil when its state is none of ours.
  public static func parse(word: UInt32) -> (state: State, kind: RecordKind, length: Int)? {
    guard let state = State(rawValue: word >> 30) else { return nil }
    return (state, RecordKind(rawValue: UInt8(truncatingIfNeeded: word >> 24 & 63)), Int(word & 0xFF_FFFF))
  }
}
