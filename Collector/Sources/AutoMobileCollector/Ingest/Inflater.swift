import CZlib
import NIOCore

/// Undoes gzip as far as a limit, so that a small body cannot fill the memory.
package enum Inflater {
  package enum Failure: Error, Equatable {
    /// Not gzip, or damaged; at this byte of the compressed body.
    case malformed(offset: Int)
    /// The body ends before the compressed data does.
    case truncated
    /// More than the limit comes out.
    case tooLarge
  }

  /// The decompressed contents of a whole gzip body. Several members one after the other are one content (RFC 1952).
  package static func gunzip(_ input: ByteBuffer, limit: Int) throws(Failure) -> ByteBuffer {
    // Compressed JSON of this kind grows about tenfold; more than four times is left to growing.
    var output = ByteBufferAllocator().buffer(capacity: min(limit, max(input.readableBytes * 4, 1 << 12)))
    let failure: Failure? = input.withUnsafeReadableBytes { bytes in
      do throws(Failure) {
        try gunzip(bytes, into: &output, limit: limit)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    return output
  }

  private static func gunzip(
    _ bytes: UnsafeRawBufferPointer, into output: inout ByteBuffer, limit: Int
  ) throws(Failure) {
    guard bytes.count <= Int(UInt32.max), let base = bytes.bindMemory(to: UInt8.self).baseAddress else {
      throw .truncated
    }
    var stream = z_stream()
    // 16: a gzip header is expected, and its checksum at the end is compared.
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .malformed(offset: 0)
    }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: base)
    stream.avail_in = UInt32(bytes.count)
    while true {
      // One byte more than allowed, so that exactly the limit can be told from too much.
      let room = min(limit + 1 - output.readableBytes, 1 << 18)
      var status = Z_OK
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
        stream.next_out = space.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(room)
        status = inflate(&stream, Z_NO_FLUSH)
        return room - Int(stream.avail_out)
      }
      if output.readableBytes > limit { throw .tooLarge }
      switch status {
      case Z_OK: continue
      case Z_STREAM_END:
        if stream.avail_in == 0 { return }
        guard inflateReset(&stream) == Z_OK else { throw .malformed(offset: bytes.count - Int(stream.avail_in)) }
      case Z_BUF_ERROR where stream.avail_in == 0: throw .truncated
      default: throw .malformed(offset: bytes.count - Int(stream.avail_in))
      }
    }
  }
}
