import CAutoMobileZlib
import Foundation

extension IndexedPNG {
  /// A picture of a file as ``encode(_:width:height:quality:)`` makes them; nil for anything else, also for other PNGs.
  ///
  /// Bytes may be anything: it takes no more memory than the picture has, and no size that no screen has.
  static func decode(_ bytes: Data) -> Picture? {
    var chunks = Chunks(bytes: bytes, at: bytes.startIndex + 8)
    guard isOne(bytes), let head = chunks.next("IHDR"), head.count == 13, let width = head.big(at: 0),
      let height = head.big(at: 4), let picture = Picture(width: width, height: height)
    else { return nil }
    let bits = Int(head[head.startIndex + 8])
    guard [1, 2, 4, 8].contains(bits), head.dropFirst(9).elementsEqual([3, 0, 0, 0]),
      let palette = chunks.next("PLTE"), palette.count % 3 == 0, palette.count <= 256 * 3,
      let packed = chunks.next("IDAT"), let rows = inflated(packed, count: rowLength(width, bits) * height)
    else { return nil }
    let parts = [UInt8](palette)
    let colours = stride(from: 0, to: parts.count, by: 3).map { at -> UInt32 in
      let (red, green, blue) = (UInt32(parts[at]), UInt32(parts[at + 1]), UInt32(parts[at + 2]))
      return 0xFF00_0000 | red << 16 | green << 8 | blue
    }
    return fill(picture, rows, bits, colours) ? picture : nil
  }

  /// False when a row is filtered, or has a number that stands for no colour.
  private static func fill(_ picture: Picture, _ rows: [UInt8], _ bits: Int, _ colours: [UInt32]) -> Bool {
    let length = rowLength(picture.width, bits)
    let mask = (1 << bits) - 1
    for y in 0..<picture.height {
      let row = y * length
      guard rows[row] == 0 else { return false }
      for x in 0..<picture.width {
        let bit = x * bits
        let number = Int(rows[row + 1 + bit / 8]) >> (8 - bits - bit % 8) & mask
        guard number < colours.count else { return false }
        picture.pixels[y * picture.width + x] = colours[number]
      }
    }
    return true
  }

  /// Exactly so many bytes; nil when there are others.
  private static func inflated(_ packed: Data, count: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: count) { room, written in
      packed.withUnsafeBytes { packed in
        stream.next_in = UnsafeMutablePointer(mutating: packed.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(clamping: packed.count)
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(clamping: count)
        isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
        written = count - Int(stream.avail_out)
      }
    }
    return isWhole ? result : nil
  }
}

/// The chunks of a PNG, whose checksums nobody needs: what is wrong in them shows as a wrong picture at most.
private struct Chunks {
  let bytes: Data
  var at: Int

  /// The content of the next one, when it has this name.
  mutating func next(_ name: String) -> Data? {
    guard bytes.endIndex - at >= 12, let length = bytes.big(at: at - bytes.startIndex),
      length <= bytes.endIndex - at - 12,
      bytes[at + 4..<at + 8].elementsEqual(name.utf8)
    else { return nil }
    defer { at += 12 + length }
    return bytes.subdata(in: at + 8..<at + 8 + length)
  }
}

extension Data {
  /// Four bytes, the first of which is so far from the beginning.
  fileprivate func big(at offset: Int) -> Int? {
    guard count - offset >= 4 else { return nil }
    return (0..<4).reduce(0) { $0 << 8 | Int(self[startIndex + offset + $1]) }
  }
}
