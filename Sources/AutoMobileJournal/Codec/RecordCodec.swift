import CAutoMobile
import Foundation

/// Writes and checks the records of one launch, in memory that the caller owns.
///
/// The same bytes serve as a segment's contents, as the body of a delivery and as the collector's ingest log.
public struct RecordCodec: Sendable {
  public let launch: LaunchID
  /// The checksum's beginning: the launch id is the same in all records of a launch, so it is summed up once.
  private let seed: UInt32

  public init(launch: LaunchID) {
    self.launch = launch
    seed = withUnsafeBytes(of: launch.uuid.uuid) { am_crc32c(0, $0.baseAddress, $0.count) }
  }

  /// The checksum of a published record.
  @inline(__always)
  func checksum(word: UInt32, position: UInt64, payload: UnsafeRawBufferPointer) -> UInt32 {
    var head = (position.littleEndian, UInt64(word).littleEndian)
    let crc = withUnsafeBytes(of: &head) { am_crc32c(seed, $0.baseAddress, 16) }
    return am_crc32c(crc, payload.baseAddress, payload.count)
  }

  /// Appends a whole record to `bytes`: the way to write a file or a body that nobody maps.
  ///
  /// - Returns: false, with nothing appended, when the payload is longer than ``RecordHeader/maximumPayload``.
  @discardableResult
  public func append(
    kind: RecordKind, position: UInt64, payload: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) -> Bool {
    guard payload.count <= RecordHeader.maximumPayload else { return false }
    let word = RecordHeader.word(.published, kind: kind, length: payload.count)
    let crc = checksum(word: word, position: position, payload: payload)
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: crc.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: position.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    let filling = RecordHeader.stride(payload: payload.count) - RecordHeader.size - payload.count
    for _ in 0..<filling { bytes.append(0) }
    return true
  }

  /// What stands at an offset.
  public enum Parsed: Equatable {
    /// A whole record: its payload is `bytes[payload]`, the next record begins at `next`.
    case record(kind: RecordKind, position: UInt64, payload: Range<Int>, next: Int)
    /// Nothing has been written here (a zero word), or there is too little left for a header.
    case free
    /// A writer is, or was, at work here. `next` is where the following record begins.
    case claimed(next: Int)
    /// Bytes that cannot be a record of this launch, with the reason in a word or two.
    case damaged(String)
  }

  /// Looks at the record that begins at `offset`, checking bounds, padding rules and checksum.
  ///
  /// `expected` is the position that the record must have, when the caller knows it.
  ///
  /// - Complexity: O(payload); never reads outside `bytes`.
  public func parse(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, expecting expected: UInt64? = nil
  ) -> Parsed {
    guard offset >= 0, offset <= bytes.count - RecordHeader.size else { return .free }
    // Unaligned, because a body that came over the wire begins anywhere; in a mapping the word is aligned, and then
    // one load. The fence: whoever sees the published word sees the payload too.
    let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    am_fence_acquire()
    guard word != 0 else { return .free }
    guard let (state, kind, length) = RecordHeader.parse(word: word) else { return .damaged("state") }
    guard length <= RecordHeader.maximumPayload else { return .damaged("length") }
    let next = offset &+ RecordHeader.stride(payload: length)
    guard next <= bytes.count else { return .damaged("truncated") }
    switch state {
    case .free: return .damaged("state")
    case .claimed: return .claimed(next: next)
    case .published: break
    }
    let crc = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt32.self))
    let position = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
    if let expected, position != expected { return .damaged("position") }
    let start = offset &+ RecordHeader.size
    let payload = start..<start &+ length
    guard crc == checksum(word: word, position: position, payload: UnsafeRawBufferPointer(rebasing: bytes[payload]))
    else { return .damaged("checksum") }
    return .record(kind: kind, position: position, payload: payload, next: next)
  }
}
