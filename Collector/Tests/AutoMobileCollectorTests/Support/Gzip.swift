import AutoMobileJournal
import CZlib
import NIOCore

/// Compresses as a sender does.
func gzip(_ bytes: some Collection<UInt8>) -> ByteBuffer { deflate(bytes, windowBits: 15 + 16, nil) }

/// The same in zlib's format, as the SDK does for whoever knows the dictionary of batches.
func deflate(_ bytes: some Collection<UInt8>, dictionary: StaticString? = BatchDictionary.text) -> ByteBuffer {
  deflate(bytes, windowBits: 15, dictionary)
}

private func deflate(_ bytes: some Collection<UInt8>, windowBits: Int32, _ dictionary: StaticString?) -> ByteBuffer {
  var input = Array(bytes)
  var stream = z_stream()
  deflateInit2_(
    &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  defer { deflateEnd(&stream) }
  if let dictionary {
    deflateSetDictionary(&stream, dictionary.utf8Start, UInt32(dictionary.utf8CodeUnitCount))
  }
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
  let written = input.withUnsafeMutableBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      CZlib.deflate(&stream, Z_FINISH)
      return target.count - Int(stream.avail_out)
    }
  }
  return ByteBuffer(bytes: output[..<written])
}
