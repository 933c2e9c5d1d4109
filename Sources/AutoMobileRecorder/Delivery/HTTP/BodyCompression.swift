import AutoMobileJournal
import CAutoMobileZlib

/// How a request's body is compressed. The raw value is the word for it in `Content-Encoding`.
package enum BodyCompression: String, Sendable {
  /// RFC 1952.
  case gzip
  /// RFC 1950, with ``BatchDictionary``: for receivers that have said that they know it.
  case deflate

  /// The compressed bytes; nil when zlib cannot, or when the result would not be shorter than `bytes`.
  ///
  /// Memory: the result, and zlib's own 256 KiB.
  package func compress(_ bytes: UnsafeRawBufferPointer, level: Int32 = 6) -> [UInt8]? {
    // A request body is far below this; above it zlib's 32-bit counters would need feeding in parts.
    guard bytes.count > 0, bytes.count <= Int(Int32.max) else { return nil }
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    guard useDictionary(&stream) else { return nil }

    // As much room as the input took: whatever does not fit is not worth sending compressed.
    var finished = false
    let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
      stream.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(clamping: bytes.count)
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(clamping: bytes.count)
      finished = CAutoMobileZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = bytes.count - Int(stream.avail_out)
    }
    return finished ? output : nil
  }

  /// The largest window; 16 asks for a gzip header.
  private var windowBits: Int32 { self == .gzip ? 15 + 16 : 15 }

  private func useDictionary(_ stream: inout z_stream) -> Bool {
    guard self == .deflate else { return true }
    let text = BatchDictionary.text
    return deflateSetDictionary(&stream, text.utf8Start, UInt32(clamping: text.utf8CodeUnitCount)) == Z_OK
  }
}
