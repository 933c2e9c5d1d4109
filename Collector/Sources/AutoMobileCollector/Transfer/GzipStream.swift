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

/// Undoes gzip piece by piece. For one thread at a time.
final class GzipReader {
  private var stream = z_stream()
  private let isOpen: Bool
  /// The end was seen, with its checksum.
  private(set) var isComplete = false

  init() {
    isOpen = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit { inflateEnd(&stream) }

  /// Hands over what comes out, in pieces that are never larger than 64 KB, however much that is.
  ///
  /// - Throws: ``Inflater/Failure`` when it is no gzip, and what `body` throws.
  func decompress(_ input: ByteBuffer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard isOpen, !isComplete || input.readableBytes == 0 else { throw Inflater.Failure.malformed(offset: 0) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    try input.withUnsafeReadableBytes { bytes in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = UInt32(clamping: bytes.count)
      var isFull = true
      while !isComplete, isFull || stream.avail_in > 0 {
        var status = Z_OK
        let count = room.withUnsafeMutableBufferPointer { space in
          stream.next_out = space.baseAddress
          stream.avail_out = UInt32(clamping: space.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return space.count - Int(stream.avail_out)
        }
        isFull = stream.avail_out == 0
        try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        switch status {
        case Z_OK: break
        case Z_BUF_ERROR where stream.avail_in == 0: return
        case Z_STREAM_END:
          isComplete = true
          guard stream.avail_in == 0 else { throw Inflater.Failure.malformed(offset: 0) }
        default: throw Inflater.Failure.malformed(offset: 0)
        }
      }
    }
  }
}
