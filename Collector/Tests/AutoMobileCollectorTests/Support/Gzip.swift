import CZlib
import NIOCore

/// Compresses as a sender does.
func gzip(_ bytes: some Collection<UInt8>) -> ByteBuffer {
  var input = Array(bytes)
  var stream = z_stream()
  deflateInit2_(
    &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  defer { deflateEnd(&stream) }
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
  let written = input.withUnsafeMutableBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      deflate(&stream, Z_FINISH)
      return target.count - Int(stream.avail_out)
    }
  }
  return ByteBuffer(bytes: output[..<written])
}
