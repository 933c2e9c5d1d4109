import AutoMobileJournal
import CAutoMobile
import CAutoMobileZlib
import Foundation

/// Pictures of few colours as PNG: letters on plain ground take a third of what a JPEG takes, and look better. Most screens
/// are such pictures.
enum IndexedPNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// More are better as a JPEG.
  private static let maximumColours = 64
  /// What a colour may be off in the mean, squared, for each of its three parts, at quality 0; nothing at quality 1. At 0.5 it
  /// is 42 dB, and no screen is as near as that in a JPEG.
  private static let tolerance = 8.2
  private static let level: Int32 = 6

  static func isOne(_ bytes: Data) -> Bool { bytes.starts(with: signature) }

  /// Nil when the picture has too many colours.
  static func encode(
    _ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, quality: Double
  ) -> Data? {
    guard Picture.isValid(width: width, height: height) else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: am_pixels_palette_memory(), alignment: 16)
    defer { memory.deallocate() }
    var palette = [UInt32](repeating: 0, count: maximumColours)
    let count = width * height
    let off = Double(count * 3) * tolerance * (1 - min(max(quality, 0), 1))
    let colours = am_pixels_palette(pixels, count, maximumColours, UInt64(saturating: off), &palette, memory)
    guard colours > 0 else { return nil }
    let bits = colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8
    let length = rowLength(width, bits) * height
    let rows = [UInt8](unsafeUninitializedCapacity: length) { room, written in
      if let start = room.baseAddress { am_pixels_index(pixels, width, height, bits, start, memory) }
      written = length
    }
    guard let packed = deflated(rows) else { return nil }
    var file = Data(signature)
    file.reserveCapacity(packed.count + colours * 3 + 80)
    var head = Data()
    head.append(big: UInt32(clamping: width))
    head.append(big: UInt32(clamping: height))
    // So many bits each, by number from a palette, and nothing else.
    head.append(contentsOf: [UInt8(clamping: bits), 3, 0, 0, 0])
    file.append(chunk: "IHDR", head)
    file.append(
      chunk: "PLTE",
      Data(
        palette[..<colours].flatMap {
          [UInt8(truncatingIfNeeded: $0 >> 16), UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
        }))
    file.append(chunk: "IDAT", packed)
    file.append(chunk: "IEND", Data())
    return file
  }

  /// With the byte that says that no filter was used.
  static func rowLength(_ width: Int, _ bits: Int) -> Int { 1 + (width * bits + 7) / 8 }

  private static func deflated(_ bytes: [UInt8]) -> Data? {
    var stream = z_stream()
    // The window is no larger than what is in it: most pictures are a few tiles.
    var window = 9
    while window < 15, 1 << window < bytes.count { window += 1 }
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, Int32(clamping: window), Int32(clamping: min(8, window - 6)), Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(clamping: deflateBound(&stream, UInt(clamping: bytes.count)))
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: room) { room, written in
      bytes.withUnsafeBufferPointer { bytes in
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.avail_in = UInt32(clamping: bytes.count)
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(clamping: room.count)
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        written = room.count - Int(stream.avail_out)
      }
    }
    return isWhole ? Data(result) : nil
  }
}

extension Data {
  fileprivate mutating func append(big number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(chunk name: String, _ content: Data) {
    append(big: UInt32(clamping: content.count))
    let named = Data(name.utf8) + content
    append(named)
    let checksum = named.withUnsafeBytes { bytes in
      crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(clamping: bytes.count))
    }
    append(big: UInt32(truncatingIfNeeded: checksum))
  }
}
