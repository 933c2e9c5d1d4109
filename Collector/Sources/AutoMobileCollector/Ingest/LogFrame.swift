import CAutoMobile
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

/// One delivery in the ingest log: a header, the checked body, zeros up to a multiple of eight.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | "AMLG" |
/// | 4 | 4 | CRC-32C of bytes 8 ..< 24 and the body |
/// | 8 | 8 | when it was received, in milliseconds since 1970 |
/// | 16 | 4 | the body's length |
/// | 20 | 4 | events in it |
struct LogFrame {
  static let headerSize = 24
  static let magic: UInt32 = 0x474C_4D41

  var receivedAt: Int64
  var length: Int
  var events: Int
  var checksum: UInt32

  /// Header, body and filling.
  static func stride(body length: Int) -> Int { (headerSize + length + 7) & ~7 }

  static func header(receivedAt: Int64, events: Int, body: UnsafeRawBufferPointer) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: headerSize)
    header.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: magic.littleEndian, as: UInt32.self)
      bytes.storeBytes(of: receivedAt.littleEndian, toByteOffset: 8, as: Int64.self)
      bytes.storeBytes(of: UInt32(truncatingIfNeeded: body.count).littleEndian, toByteOffset: 16, as: UInt32.self)
      bytes.storeBytes(of: UInt32(truncatingIfNeeded: events).littleEndian, toByteOffset: 20, as: UInt32.self)
      let checksum = checksum(header: UnsafeRawBufferPointer(bytes), body: body)
      bytes.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }
    return header
  }

  /// Reads a header; nil when these bytes are none. The body is not looked at.
  init?(header bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize,
      UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == Self.magic
    else { return nil }
    checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    receivedAt = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
    events = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self)))
  }

  func matches(header: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) -> Bool {
    checksum == Self.checksum(header: header, body: body)
  }

  private static func checksum(header: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) -> UInt32 {
    let part = UnsafeRawBufferPointer(rebasing: header[8..<headerSize])
    return am_crc32c(am_crc32c(0, part.baseAddress, part.count), body.baseAddress, body.count)
  }
}
