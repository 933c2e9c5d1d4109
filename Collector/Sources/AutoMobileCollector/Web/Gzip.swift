import CZlib
import NIOCore

/// Compresses what is sent often, once; and quickly what is sent once.
enum Gzip {
  /// The body as gzip has it (RFC 1952); nil when that would not be shorter.
  static func compressed(_ body: ByteBuffer, level: Int32 = Z_BEST_COMPRESSION) -> ByteBuffer? {
    var stream = z_stream()
    // 31: the largest window, and gzip's header.
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY, zlibVersion(),
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = Array(body.readableBytesView)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    let length: Int? = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : nil
      }
    }
    guard let length, length < input.count else { return nil }
    return ByteBuffer(bytes: output[..<length])
  }
}
