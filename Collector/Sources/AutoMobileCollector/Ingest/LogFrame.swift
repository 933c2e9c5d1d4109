import AutoMobileJournal
import NIOCore

/// A place in the ingest log.
struct LogPosition: Comparable, Hashable, Codable, Sendable {
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
/// | 0 | 4 | "AML3" |
/// | 4 | 4 | CRC-32C of all from 32 on, then of bytes 8 ..< 32 |
/// | 8 | 8 | when it was received, in milliseconds since 1970 |
/// | 16 | 4 | the length of all that follows |
/// | 20 | 4 | events in it |
/// | 24 | 8 | the number of its first record; those of the others are `FrameNumbers.step` apart |
/// | 32 | 2 | the length of the owner's name |
/// | 34 | | the owner's name, then the body |
///
/// Frames whose records have no numbers, as nobody needs them who keeps everything on one machine, begin with "AML2", the length of the
/// owner's name is at 24, and the checksum is that of bytes 8 ..< 24 and all that follows. Those of a collector that knew no owners begin
/// with "AMLG", and their body at 24. What is left of them is read.
struct LogFrame {
  static let headerSize = 24
  static let magic: UInt32 = 0x334C_4D41
  private static let magicWithoutNumber: UInt32 = 0x324C_4D41
  private static let magicWithoutOwner: UInt32 = 0x474C_4D41
  private static let numberSize = 8
  /// Of an owner's name, in bytes.
  static let longestOwner = 1000
  /// What may stand before a body, beside the header.
  static let longestPrefix = numberSize + 2 + longestOwner

  var receivedAt: Int64
  var length: Int
  var events: Int
  var checksum: UInt32
  private var form: Form

  private enum Form { case numbered, owned, bare }

  /// Header, body and filling.
  static func stride(body length: Int) -> Int { (headerSize + length + 7) & ~7 }

  /// What is written before the body.
  struct Head: Sendable {
    private(set) var bytes: [UInt8]
    /// The checksum of what stands behind the number; nil: there is no number.
    private let contents: UInt32?

    /// - Parameter isNumbered: its number is not in it yet. The checksum of the body takes longest, and is known before.
    init(receivedAt: Int64, events: Int, owner: DataOwner, body: UnsafeRawBufferPointer, isNumbered: Bool) {
      let owner = Array(owner.name.utf8.prefix(longestOwner))
      let start = headerSize + (isNumbered ? numberSize : 0)
      bytes = [UInt8](repeating: 0, count: start + 2) + owner
      contents = bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: (isNumbered ? magic : magicWithoutNumber).littleEndian, as: UInt32.self)
        bytes.storeBytes(of: receivedAt.littleEndian, toByteOffset: 8, as: Int64.self)
        let length = UInt32(truncatingIfNeeded: bytes.count - headerSize + body.count)
        bytes.storeBytes(of: length.littleEndian, toByteOffset: 16, as: UInt32.self)
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: events).littleEndian, toByteOffset: 20, as: UInt32.self)
        bytes.storeBytes(of: UInt16(truncatingIfNeeded: owner.count).littleEndian, toByteOffset: start, as: UInt16.self)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        if isNumbered { return CRC32C.checksum(of: body, after: CRC32C.checksum(of: rest)) }
        let before = UnsafeRawBufferPointer(rebasing: bytes[8...])
        let checksum = CRC32C.checksum(of: body, after: CRC32C.checksum(of: before))
        bytes.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
        return nil
      }
    }

    mutating func number(_ number: Int64) {
      guard let contents else { return }
      bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: number.littleEndian, toByteOffset: headerSize, as: Int64.self)
        let part = UnsafeRawBufferPointer(rebasing: bytes[8..<headerSize + numberSize])
        bytes.storeBytes(
          of: CRC32C.checksum(of: part, after: contents).littleEndian, toByteOffset: 4, as: UInt32.self)
      }
    }
  }

  /// Reads a header; nil when these bytes are none. The body is not looked at.
  init?(header bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize else { return nil }
    switch UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) {
    case Self.magic: form = .numbered
    case Self.magicWithoutNumber: form = .owned
    case Self.magicWithoutOwner: form = .bare
    default: return nil
    }
    checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    receivedAt = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
    events = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self)))
  }

  /// - Parameter contents: all that follows the header.
  func matches(header: UnsafeRawBufferPointer, contents: UnsafeRawBufferPointer) -> Bool {
    let part = UnsafeRawBufferPointer(rebasing: header[8...])
    guard form == .numbered else {
      return checksum == CRC32C.checksum(of: contents, after: CRC32C.checksum(of: part))
    }
    guard contents.count >= Self.numberSize else { return false }
    let number = UnsafeRawBufferPointer(rebasing: contents[..<Self.numberSize])
    let rest = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: contents[Self.numberSize...]))
    return checksum == CRC32C.checksum(of: number, after: CRC32C.checksum(of: part, after: rest))
  }

  /// What stands before the body, as far as the frame's form has it, and the body.
  func split(_ contents: UnsafeRawBufferPointer) -> (owner: DataOwner?, number: Int64?, body: UnsafeRawBufferPointer) {
    var start = 0
    var number: Int64?
    if form == .numbered, contents.count >= Self.numberSize {
      number = Int64(littleEndian: contents.loadUnaligned(as: Int64.self))
      start = Self.numberSize
    }
    guard form != .bare, contents.count >= start + 2 else { return (nil, number, contents) }
    let length = Int(UInt16(littleEndian: contents.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
    let end = start + 2 + length
    guard end <= contents.count else { return (nil, number, contents) }
    let name = String(decoding: contents[start + 2..<end], as: UTF8.self)
    return (DataOwner(name: name), number, UnsafeRawBufferPointer(rebasing: contents[end...]))
  }
}
