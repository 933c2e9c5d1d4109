import CZlib
import NIOCore

/// Gzip (RFC 1952) of what is there as a whole.
package enum Gzip {
  /// The largest window, and 16 for the form of gzip.
  private static let window: Int32 = 15 + 16

  /// For what may go as it is: nil when this would not be shorter, too.
  package static func compressed(_ bytes: ByteBuffer, level: Int32 = Z_BEST_COMPRESSION) -> ByteBuffer? {
    guard let short = packed(bytes, level: level, memory: 9), short.readableBytes < bytes.readableBytes else {
      return nil
    }
    // It may be kept for long, and has room for more than there was.
    return ByteBuffer(bytes: short.readableBytesView)
  }

  /// The same bytes give the same bytes. Nil when there is no memory for it, or when they are more than zlib takes at once.
  ///
  /// - Parameters:
  ///   - level: zlib's, from 1, the fastest, to 9.
  ///   - memory: zlib's, from 1 to 9.
  package static func packed(_ bytes: ByteBuffer, level: Int32, memory: Int32) -> ByteBuffer? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.readableBytes) else { return nil }
    let longest = Int(deflateBound(&stream, uLong(count)))
    guard let room = UInt32(exactly: longest) else { return nil }
    var result = ByteBufferAllocator().buffer(capacity: longest)
    var isWhole = false
    bytes.withUnsafeReadableBytes { input in
      _ = result.writeWithUnsafeMutableBytes(minimumWritableBytes: longest) { output in
        // zlib does not write what it reads.
        stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = count
        stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = room
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        return longest - Int(stream.avail_out)
      }
    }
    return isWhole ? result : nil
  }
}
