import AutoMobileJournal
import NIOCore

/// A place in the ingest log.
struct LogPosition: Comparable, Sendable {
  /// The segment's number; they count up from 1 and are never used twice.
  var segment: UInt64
  /// In bytes, from the segment's beginning.
  var offset: Int

  static func < (left: LogPosition, right: LogPosition) -> Bool {
    (left.segment, left.offset) < (right.segment, right.offset)
  }
}

/// One delivery in the ingest log: a header, whose data it is, the checked body, zeros up to a multiple of eight.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | "AML2" |
/// | 4 | 4 | CRC-32C of bytes 8 ..< 24 and all that follows |
/// | 8 | 8 | when it was received, in milliseconds since 1970 |
/// | 16 | 4 | the length of all that follows |
/// | 20 | 4 | events in it |
/// | 24 | 2 | the length of the owner's name |
/// | 26 | | the owner's name, then the body |
///
/// Frames of a collector that knew no owners begin with "AMLG", and their body at 24; what is left of them is read.
struct LogFrame {
  static let headerSize = 24
  static let magic: UInt32 = 0x324C_4D41
  private static let magicWithoutOwner: UInt32 = 0x474C_4D41
  /// Of an owner's name, in bytes.
  static let longestOwner = 1000
  /// What may stand before a body, beside the header.
  static let longestPrefix = longestOwner + 2

  var receivedAt: Int64
  var length: Int
  var events: Int
  var checksum: UInt32
  private var hasOwner: Bool

  /// Header, body and filling.
  static func stride(body length: Int) -> Int { (headerSize + length + 7) & ~7 }

  /// The header and the owner's name: what is written before the body.
  static func head(
    receivedAt: Int64, events: Int, owner: DataOwner, body: UnsafeRawBufferPointer
  ) -> [UInt8] {
    let owner = Array(owner.name.utf8.prefix(longestOwner))
    var head = [UInt8](repeating: 0, count: headerSize + 2)
    head.append(contentsOf: owner)
    head.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: magic.littleEndian, as: UInt32.self)
      bytes.storeBytes(of: receivedAt.littleEndian, toByteOffset: 8, as: Int64.self)
      let length = UInt32(truncatingIfNeeded: 2 + owner.count + body.count)
      bytes.storeBytes(of: length.littleEndian, toByteOffset: 16, as: UInt32.self)
      bytes.storeBytes(of: UInt32(truncatingIfNeeded: events).littleEndian, toByteOffset: 20, as: UInt32.self)
      bytes.storeBytes(of: UInt16(truncatingIfNeeded: owner.count).littleEndian, toByteOffset: 24, as: UInt16.self)
      let checksum = checksum(head: UnsafeRawBufferPointer(bytes), body: body)
      bytes.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }
    return head
  }

  /// Reads a header; nil when these bytes are none. The body is not looked at.
  init?(header bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize else { return nil }
    switch UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) {
    case Self.magic: hasOwner = true
    case Self.magicWithoutOwner: hasOwner = false
    default: return nil
    }
    checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    receivedAt = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
    events = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self)))
  }

  /// - Parameter contents: all that follows the header.
  func matches(header: UnsafeRawBufferPointer, contents: UnsafeRawBufferPointer) -> Bool {
    checksum == Self.checksum(head: header, body: contents)
  }

  /// Whose data it is, and the body; no owner for frames that know none.
  func split(_ contents: UnsafeRawBufferPointer) -> (owner: DataOwner?, body: UnsafeRawBufferPointer) {
    guard hasOwner, contents.count >= 2 else { return (nil, contents) }
    let end = 2 + Int(UInt16(littleEndian: contents.loadUnaligned(as: UInt16.self)))
    guard end <= contents.count else { return (nil, contents) }
    let name = String(decoding: contents[2..<end], as: UTF8.self)
    return (DataOwner(name: name), UnsafeRawBufferPointer(rebasing: contents[end...]))
  }

  private static func checksum(head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) -> UInt32 {
    let part = UnsafeRawBufferPointer(rebasing: head[8...])
    return CRC32C.checksum(of: body, after: CRC32C.checksum(of: part))
  }
}
