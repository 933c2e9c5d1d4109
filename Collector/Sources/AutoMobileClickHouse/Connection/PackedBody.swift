import CZlib
import NIOCore

/// What is sent, in the form of gzip.
enum PackedBody {
  /// zlib's fastest: rows are alike, and who sends them has other things to do.
  private static let level: Int32 = 1
  /// The largest window, and 16 for the form of gzip.
  private static let window: Int32 = 15 + 16

  /// The same bytes give the same bytes. Nil when there is no memory for it; then it goes as it is.
  static func gzip(_ bytes: ByteBuffer) -> ByteBuffer? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.readableBytes) else { return nil }
    let longest = Int(deflateBound(&stream, uLong(count)))
    guard let room = UInt32(exactly: longest) else { return nil }
    var packed = ByteBufferAllocator().buffer(capacity: longest)
    var isWhole = false
    bytes.withUnsafeReadableBytes { input in
      _ = packed.writeWithUnsafeMutableBytes(minimumWritableBytes: longest) { output in
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
    return isWhole ? packed : nil
  }
}
