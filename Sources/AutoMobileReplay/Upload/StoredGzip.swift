import CAutoMobileZlib
import Foundation

/// The gzip form (RFC 1952) of bytes that compression makes no shorter, such as a JPEG: stored as they are.
enum StoredGzip {
  static func wrap(_ content: Data) -> Data? {
    var result = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
    result.reserveCapacity(content.count + content.count / 0xFFFF * 5 + 32)
    var offset = 0
    repeat {
      let count = min(0xFFFF, content.count - offset)
      let isLast = offset + count == content.count
      let length = UInt16(clamping: count)
      result.append(isLast ? 1 : 0)
      withUnsafeBytes(of: length.littleEndian) { result.append(contentsOf: $0) }
      withUnsafeBytes(of: (~length).littleEndian) { result.append(contentsOf: $0) }
      let start = content.startIndex + offset
      result.append(content[start..<start + count])
      offset += count
    } while offset < content.count
    let checksum = content.withUnsafeBytes { bytes in
      crc32(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: bytes.count))
    }
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: checksum).littleEndian) { result.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).littleEndian) { result.append(contentsOf: $0) }
    return result
  }
}
