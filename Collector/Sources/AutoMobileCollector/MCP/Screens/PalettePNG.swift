import CZlib

/// Pixels in rows from the top: `0xRRGGBB`.
struct Pixels {
  var width: Int
  var height: Int
  var colours: [UInt32]

  init(width: Int, height: Int, colour: UInt32 = 0) {
    (self.width, self.height) = (width, height)
    colours = Array(repeating: colour, count: width * height)
  }

  /// Half as wide and high: of four pixels their mean.
  var halved: Pixels {
    var half = Pixels(width: max(1, width / 2), height: max(1, height / 2))
    for y in 0..<half.height {
      for x in 0..<half.width {
        var sums = (red: UInt32(0), green: UInt32(0), blue: UInt32(0))
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let colour = colours[min(2 * y + dy, height - 1) * width + min(2 * x + dx, width - 1)]
          sums.red += (colour >> 16) & 0xFF
          sums.green += (colour >> 8) & 0xFF
          sums.blue += colour & 0xFF
        }
        half.colours[y * half.width + x] = (sums.red / 4) << 16 | (sums.green / 4) << 8 | (sums.blue / 4)
      }
    }
    return half
  }
}

/// The PNGs that replays are made of: a palette, no filters. Photographs are JPEGs, which are not read here.
enum PalettePNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The picture of a file; nil for anything else. Takes no more memory than a picture of the largest size.
  static func decode(_ file: [UInt8]) -> Pixels? {
    guard file.starts(with: signature) else { return nil }
    var at = signature.count
    func chunk(_ name: String) -> ArraySlice<UInt8>? {
      guard file.count - at >= 12 else { return nil }
      let length = big(file[at..<at + 4])
      guard length <= file.count - at - 12, file[at + 4..<at + 8].elementsEqual(name.utf8) else { return nil }
      defer { at += 12 + length }
      return file[at + 8..<at + 8 + length]
    }
    guard let head = chunk("IHDR"), head.count == 13 else { return nil }
    let (width, height) = (big(head.prefix(4)), big(head.dropFirst(4).prefix(4)))
    let bits = Int(head[head.startIndex + 8])
    guard (1...8192).contains(width), (1...8192).contains(height), width * height <= ReplayFrame.mostPixels,
      [1, 2, 4, 8].contains(bits), head.dropFirst(9).elementsEqual([3, 0, 0, 0]),
      let palette = chunk("PLTE").map(Array.init), palette.count % 3 == 0, palette.count <= 768,
      let packed = chunk("IDAT").map(Array.init)
    else { return nil }
    let length = 1 + (width * bits + 7) / 8
    guard let rows = inflated(packed, count: length * height) else { return nil }
    let colours = stride(from: 0, to: palette.count, by: 3).map { at -> UInt32 in
      let (red, green, blue) = (UInt32(palette[at]), UInt32(palette[at + 1]), UInt32(palette[at + 2]))
      return red << 16 | green << 8 | blue
    }
    var pixels = Pixels(width: width, height: height)
    let mask = (1 << bits) - 1
    for y in 0..<height {
      guard rows[y * length] == 0 else { return nil }
      for x in 0..<width {
        let bit = x * bits
        let byte = Int(rows[y * length + 1 + bit / 8])
        let number = (byte >> (8 - bits - bit % 8)) & mask
        guard number < colours.count else { return nil }
        pixels.colours[y * width + x] = colours[number]
      }
    }
    return pixels
  }

  /// A file of a picture, in true colours: nil only when there is no memory.
  static func encode(_ pixels: Pixels) -> [UInt8]? {
    var rows: [UInt8] = []
    rows.reserveCapacity((pixels.width * 3 + 1) * pixels.height)
    for y in 0..<pixels.height {
      rows.append(0)
      for colour in pixels.colours[y * pixels.width..<(y + 1) * pixels.width] {
        rows.append(UInt8(truncatingIfNeeded: colour >> 16))
        rows.append(UInt8(truncatingIfNeeded: colour >> 8))
        rows.append(UInt8(truncatingIfNeeded: colour))
      }
    }
    var size = compressBound(uLong(rows.count))
    var packed = [UInt8](repeating: 0, count: Int(size))
    guard compress2(&packed, &size, rows, uLong(rows.count), 6) == Z_OK else { return nil }
    return signature + chunk("IHDR", bytes(pixels.width) + bytes(pixels.height) + [8, 2, 0, 0, 0])
      + chunk("IDAT", Array(packed.prefix(Int(size)))) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return bytes(content.count) + named + bytes(Int(crc32(0, named, uInt(named.count))))
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// Exactly so many bytes; nil when there are others.
  private static func inflated(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var rows = [UInt8](repeating: 0, count: count)
    var size = uLong(count)
    guard uncompress(&rows, &size, packed, uLong(packed.count)) == Z_OK, size == uLong(count) else { return nil }
    return rows
  }
}
