import CZlib
import NIOCore

/// Makes gzip of what comes piece by piece. For one thread at a time.
final class GzipWriter {
  private var stream = z_stream()
  private var isOpen: Bool

  init() {
    // 16: with a gzip header.
    isOpen =
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      == Z_OK
  }

  deinit { deflateEnd(&stream) }

  /// What can be written by now; everything, with the checksum, when this `isLast`.
  func compress(_ input: ByteBuffer, isLast: Bool = false) -> ByteBuffer {
    var output = ByteBufferAllocator().buffer(capacity: max(input.readableBytes / 4, 256))
    guard isOpen else { return output }
    input.withUnsafeReadableBytes { bytes in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = UInt32(clamping: bytes.count)
      var isFull = true
      while isFull {
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 16) { space in
          stream.next_out = space.bindMemory(to: UInt8.self).baseAddress
          stream.avail_out = UInt32(clamping: space.count)
          _ = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          isFull = stream.avail_out == 0
          return space.count - Int(stream.avail_out)
        }
      }
    }
    return output
  }
}
