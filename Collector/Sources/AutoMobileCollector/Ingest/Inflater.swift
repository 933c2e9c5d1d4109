import NIOCore

/// Undoes compression as far as a limit, so that a small body cannot fill the memory.
package enum Inflater {
  package enum Failure: Error, Equatable {
    /// Not of this format, or damaged; at this byte of the compressed body.
    case malformed(offset: Int)
    /// The body ends before the compressed data does.
    case truncated
    /// More than the limit comes out.
    case tooLarge
    /// It was compressed with a dictionary that nobody knows here.
    case unknownDictionary
  }

  /// The decompressed contents of a whole gzip body. Several members one after the other are one content (RFC 1952).
  package static func gunzip(_ input: ByteBuffer, limit: Int) throws(Failure) -> ByteBuffer {
    try decompress(input, GzipReader(takesMembers: true), limit: limit)
  }

  /// The same of a body in zlib's format (RFC 1950), with or without the dictionary of batches.
  package static func inflate(_ input: ByteBuffer, limit: Int) throws(Failure) -> ByteBuffer {
    try decompress(input, GzipReader(.zlib), limit: limit)
  }

  private static func decompress(
    _ input: ByteBuffer, _ reader: GzipReader, limit: Int
  ) throws(Failure) -> ByteBuffer {
    // Compressed JSON of this kind grows about tenfold; more than four times is left to growing.
    var output = ByteBufferAllocator().buffer(capacity: min(limit, max(input.readableBytes * 4, 1 << 12)))
    do {
      try input.withUnsafeReadableBytes { bytes in
        guard bytes.count <= Int(UInt32.max) else { throw Failure.truncated }
        try reader.decompress(bytes) { fill in
          // One byte more than allowed, so that exactly the limit can be told from too much.
          let room = min(limit + 1 - output.readableBytes, 1 << 18)
          output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            fill(UnsafeMutableRawBufferPointer(rebasing: space[..<room]))
          }
          if output.readableBytes > limit { throw Failure.tooLarge }
        }
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .malformed(offset: 0)
    }
    guard reader.isComplete else { throw .truncated }
    return output
  }
}
