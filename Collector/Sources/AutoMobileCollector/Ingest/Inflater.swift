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
    let reader = GzipReader(takesMembers: true)
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
