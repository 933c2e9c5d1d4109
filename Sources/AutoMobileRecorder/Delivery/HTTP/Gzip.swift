import CAutoMobileZlib

/// Compression of request bodies, as `Content-Encoding: gzip` (RFC 1952).
package enum Gzip {
  /// The compressed bytes; nil when zlib cannot, or when the result would not be shorter than `bytes`.
  ///
  /// Memory: the result, and zlib's own 256 KiB.
  package static func compress(_ bytes: UnsafeRawBufferPointer, level: Int32 = 6) -> [UInt8]? {
    // A request body is far below this; above it zlib's 32-bit counters would need feeding in parts.
    guard bytes.count > 0, bytes.count <= Int(Int32.max) else { return nil }
    var stream = z_stream()
    let windowBits: Int32 = 15 + 16  // the largest window; 16 asks for a gzip header
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }

    // As much room as the input took: whatever does not fit is not worth sending compressed.
    var finished = false
    let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
      stream.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(clamping: bytes.count)
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(clamping: bytes.count)
      finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = bytes.count - Int(stream.avail_out)
    }
    return finished ? output : nil
  }
}
