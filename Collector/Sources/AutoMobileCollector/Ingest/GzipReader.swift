import AutoMobileJournal
import CZlib
import NIOCore

/// Undoes gzip, or zlib's own format, piece by piece. For one thread at a time.
final class GzipReader {
  enum Format {
    /// RFC 1952, `Content-Encoding: gzip`.
    case gzip
    /// RFC 1950, `Content-Encoding: deflate`: also with the dictionary of batches.
    case zlib
  }

  private var stream = z_stream()
  private let isOpen: Bool
  private let takesMembers: Bool
  /// The end was seen, with its checksum.
  private(set) var isComplete = false

  /// - Parameter takesMembers: several members one after the other are one content (RFC 1952), as far as they come at once.
  init(_ format: Format = .gzip, takesMembers: Bool = false) {
    self.takesMembers = takesMembers
    // 16: a gzip header is expected. In either format the checksum at the end is compared.
    let windowBits: Int32 = format == .gzip ? 15 + 16 : 15
    isOpen = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  deinit { inflateEnd(&stream) }

  /// Hands over what comes out, in pieces that are never larger than 64 KB, however much that is.
  ///
  /// - Throws: ``Inflater/Failure`` when it is no gzip, and what `body` throws.
  func decompress(_ input: ByteBuffer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    try input.withUnsafeReadableBytes { bytes in
      try decompress(bytes) { fill in
        let count = room.withUnsafeMutableBytes { fill($0) }
        try room.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      }
    }
  }

  /// The same, into room that the caller has.
  ///
  /// - Parameter take: is called as long as something may come out: its argument fills a room, and says how much that was.
  func decompress(
    _ input: UnsafeRawBufferPointer, _ take: (_ fill: (UnsafeMutableRawBufferPointer) -> Int) throws -> Void
  ) throws {
    guard isOpen, !isComplete || input.isEmpty else { throw Inflater.Failure.malformed(offset: 0) }
    stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(clamping: input.count)
    var isFull = true
    while !isComplete, isFull || stream.avail_in > 0 {
      var status = Z_OK
      try take { room in
        stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(clamping: room.count)
        status = inflate(&stream, Z_NO_FLUSH)
        if status == Z_NEED_DICT, useDictionary() { status = inflate(&stream, Z_NO_FLUSH) }
        return room.count - Int(stream.avail_out)
      }
      isFull = stream.avail_out == 0
      switch status {
      case Z_OK: break
      case Z_BUF_ERROR where stream.avail_in == 0: return
      case Z_NEED_DICT: throw Inflater.Failure.unknownDictionary
      case Z_STREAM_END where stream.avail_in == 0: isComplete = true
      case Z_STREAM_END where takesMembers && inflateReset(&stream) == Z_OK: break
      default: throw Inflater.Failure.malformed(offset: input.count - Int(stream.avail_in))
      }
    }
  }

  /// zlib compares the checksum: it takes no other dictionary than the one that the body names. Of those that are known.
  private func useDictionary() -> Bool {
    for text in [BatchDictionary.text, FormerDictionary.text] {
      if inflateSetDictionary(&stream, text.utf8Start, UInt32(clamping: text.utf8CodeUnitCount)) == Z_OK { return true }
    }
    return false
  }
}
