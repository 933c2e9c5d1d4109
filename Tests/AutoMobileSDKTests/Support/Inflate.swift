import AutoMobileJournal
import CAutoMobileZlib

/// The contents of a gzip stream that ends where `bytes` ends; nil when it is damaged or larger than 64 MB.
func gunzip(_ bytes: [UInt8]) -> [UInt8]? { inflate(bytes, windowBits: 15 + 16) }

/// The same of a stream in zlib's format, with the dictionary of batches or without one.
func inflate(_ bytes: [UInt8]) -> [UInt8]? { inflate(bytes, windowBits: 15) }

/// A request's body, as its `Content-Encoding` says.
func plain(_ body: [UInt8], coding: String?) -> [UInt8]? {
  switch coding {
  case nil: body
  case "gzip": gunzip(body)
  case "deflate": inflate(body)
  default: nil
  }
}

private func inflate(_ bytes: [UInt8], windowBits: Int32) -> [UInt8]? {
  var input = bytes
  var output: [UInt8] = []
  var stream = z_stream()
  guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
  defer { inflateEnd(&stream) }
  return input.withUnsafeMutableBufferPointer { input in
    stream.next_in = input.baseAddress
    stream.avail_in = UInt32(input.count)
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while output.count < 64 << 20 {
      let (result, count) = chunk.withUnsafeMutableBufferPointer { chunk in
        stream.next_out = chunk.baseAddress
        stream.avail_out = UInt32(chunk.count)
        var result = CAutoMobileZlib.inflate(&stream, Z_NO_FLUSH)
        let text = BatchDictionary.text
        if result == Z_NEED_DICT,
          inflateSetDictionary(&stream, text.utf8Start, UInt32(text.utf8CodeUnitCount)) == Z_OK
        {
          result = CAutoMobileZlib.inflate(&stream, Z_NO_FLUSH)
        }
        return (result, chunk.count - Int(stream.avail_out))
      }
      output += chunk[..<count]
      if result == Z_STREAM_END { return stream.avail_in == 0 ? output : nil }
      guard result == Z_OK else { return nil }
    }
    return nil
  }
}
